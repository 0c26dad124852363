import type {WriteStream} from 'node:tty';
import {InkStdout} from './ink-streams.ts';
import {eraseScreen, screenModes} from './modes.ts';
import {writeNow} from './write-now.ts';

/** The part of Ink's instance that is called when the screen has to be drawn anew. */
export type Redrawable = {
	/** Makes Ink forget what it drew. */
	clear(): void;
};

/** The terminal's screen: taken, given back, drawn from nothing. */
export type TtyScreen = {
	/** What Ink draws on. */
	readonly inkStdout: InkStdout;
	/** Takes the screen; what Ink draws goes there from now on. */
	enter(): void;
	/** Gives the screen back at once, as the process may be about to stop. @returns whether all of it was written. */
	leave(milliseconds: number): boolean;
	/** Draws everything anew: after a resize, a suspension, or when something else wrote there. */
	repaint(): void;
	/** Tells the terminal something that does not show, between two frames; lost while the screen is not ours. */
	send(bytes: string): void;
	setRedrawable(ink: Redrawable): void;
};

/** @param gone called when the screen can't be written to any more. */
export function createTtyScreen(
	stdout: WriteStream,
	{isAlternate, gone}: {isAlternate: boolean; gone: () => void},
): TtyScreen {
	const modes = screenModes({isAlternate});
	// Bound now: while the screen is ours, others' writes to this stream are diverted.
	const write = stdout.write.bind(stdout);
	const inkStdout = new InkStdout({write: (output, done) => write(output, () => done())}, () => ({
		columns: stdout.columns,
		rows: stdout.rows,
	}));
	inkStdout.isMuted = true;
	let ink: Redrawable | undefined;
	let isEntered = false;

	function repaint(): void {
		if (!isEntered) return;
		if (isAlternate) {
			// Ink erases relative to a cursor that may be anywhere by now; the whole screen is erased instead.
			inkStdout.isMuted = true;
			ink?.clear();
			inkStdout.isMuted = false;
			write(eraseScreen);
		}
		inkStdout.emit('resize');
	}

	stdout.on('resize', repaint);
	stdout.on('error', gone);

	return {
		inkStdout,
		enter() {
			if (isEntered) return;
			isEntered = true;
			inkStdout.isMuted = false;
			write(modes.enter);
		},
		leave(milliseconds) {
			if (!isEntered) return true;
			isEntered = false;
			inkStdout.isMuted = true;
			return writeNow(stdout, modes.leave, milliseconds);
		},
		repaint,
		send(bytes) {
			if (isEntered) write(bytes);
		},
		setRedrawable(next) {
			ink = next;
		},
	};
}
