import {type CellWriter, createCellWriter} from './cells/cell-writer.ts';
import type {InkNode} from './cells/ink-tree.ts';
import type {FrameWriter} from './frame-writer.ts';
import {InkStdout} from './ink-streams.ts';
import {eraseScreen, screenModes} from './modes.ts';
import {printable} from './printable.ts';
import {createTtyOutput} from './tty-output.ts';

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
	/** What the terminal is called while the screen is ours; nothing where it keeps its own title. */
	setTitle(text: string): void;
	setRedrawable(ink: Redrawable): void;
	/** Gives the root of Ink's tree to a writer that can read it. */
	follow(root: InkNode): void;
};

/** @param gone called when the screen can't be written to any more. */
export function createTtyScreen(
	stdout: NodeJS.WriteStream & {readonly fd: number},
	{
		isAlternate,
		writer,
		hasTitle = false,
		gone,
	}: {isAlternate: boolean; writer: FrameWriter; hasTitle?: boolean | undefined; gone: () => void},
): TtyScreen {
	const size = () => ({columns: stdout.columns, rows: stdout.rows});
	const output = createTtyOutput(stdout, {isPatient: writer === 'cells', gone});
	const cells: CellWriter | undefined = writer === 'cells' ? createCellWriter(output, size) : undefined;
	const modes = screenModes({isAlternate, isByCells: cells !== undefined, hasTitle});
	const passOn = (frame: string, done: () => void) => {
		output.write(frame);
		output.whenTaken(done);
		return output.isTaken;
	};
	const inkStdout = new InkStdout(cells?.sink ?? {write: passOn}, size);
	inkStdout.isMuted = true;
	let ink: Redrawable | undefined;
	let isEntered = false;
	let title = '';

	function repaint(): void {
		if (!isEntered) return;
		if (cells !== undefined) cells.repaint();
		else if (isAlternate) {
			// Ink erases relative to a cursor that may be anywhere by now; the whole screen is erased instead.
			inkStdout.isMuted = true;
			ink?.clear();
			inkStdout.isMuted = false;
			output.write(eraseScreen);
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
			output.write(modes.enter + title);
			cells?.start();
		},
		leave(milliseconds) {
			if (!isEntered) return true;
			isEntered = false;
			inkStdout.isMuted = true;
			cells?.stop();
			return output.writeLast(modes.leave, milliseconds);
		},
		repaint,
		send(bytes) {
			if (isEntered) output.write(bytes);
		},
		setTitle(text) {
			if (!hasTitle) return;
			title = titleSequence(text);
			if (isEntered) output.write(title);
		},
		setRedrawable(next) {
			ink = next;
		},
		follow: root => cells?.follow(root),
	};
}

/** No terminal shows more of a title. */
const longestTitle = 200;

/** Names the terminal's window (xterm's OSC 2). */
function titleSequence(text: string): string {
	return `\u001b]2;${printable(text.slice(0, longestTitle))}\u0007`;
}
