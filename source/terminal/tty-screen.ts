import {type CellWriter, createCellWriter} from './cells/cell-writer.ts';
import type {InkNode} from './cells/ink-tree.ts';
import type {FrameWriter} from './frame-writer.ts';
import {createPlainLines, InkStdout} from './ink-streams.ts';
import {eraseScreen, kittyKeys, mouseReports, screenModes, type WantedModes} from './modes.ts';
import type {PictureLayer} from './pictures/picture-layer.ts';
import {printable} from './printable.ts';
import {createTtyOutput} from './tty-output.ts';

/** The part of Ink's instance that is called when the screen has to be drawn anew. */
export type Redrawable = {
	/** Makes Ink forget what it drew. */
	clear(): void;
};

/**
 * The kind of screen: the whole screen; rows above the cursor that Ink itself erases and writes again, for a screen
 * reader; or lines that are never taken back, for a terminal that can't move its cursor.
 */
export type ScreenKind = 'whole' | 'spoken' | 'lines';

/** The terminal's screen: taken, given back, drawn from nothing. */
type TtyScreen = {
	/** The stream that Ink draws on. */
	readonly inkStdout: InkStdout;
	/** Takes the screen; what Ink draws goes there from now on. */
	enter(): void;
	/** Gives the screen back at once, as the process may be about to stop. @returns whether all of it was written. */
	leave(milliseconds: number): boolean;
	/** Draws everything anew: after a resize, a suspension, or when something else wrote there. */
	repaint(): void;
	/** Tells the terminal something that does not show, between two frames; lost while the screen is not ours. */
	send(bytes: string): void;
	/** Sets the terminal's title while the screen is ours; nothing if it keeps its own title. */
	setTitle(text: string): void;
	/** Switches a mode, for now and for every time that the screen is taken again. */
	want(mode: 'mouse' | 'kitty', isWanted: boolean): void;
	setRedrawable(ink: Redrawable): void;
	/** Gives the root of Ink's tree to a writer that reads it; another one draws Ink's frames. */
	readonly follow: ((root: InkNode) => void) | undefined;
	/** Gives pictures to a writer that can draw them. @returns whether this one can */
	setPictures(pictures: PictureLayer): boolean;
};

type TtyScreenOptions = {
	readonly kind: ScreenKind;
	readonly writer: FrameWriter;
	/** The mouse is wanted from the start. */
	readonly mouse: boolean;
	/** The terminal is called what `setTitle` says. @default false */
	readonly hasTitle?: boolean | undefined;
	/** Called when the screen can't be written to any more. */
	readonly gone: () => void;
};

export function createTtyScreen(
	stdout: NodeJS.WriteStream & {readonly fd: number},
	{kind, writer, mouse, hasTitle = false, gone}: TtyScreenOptions,
): TtyScreen {
	const isWhole = kind === 'whole';
	// A terminal that was never told its size says 0.
	const size = () => ({columns: stdout.columns || 80, rows: stdout.rows || 24});
	const output = createTtyOutput(stdout, {isPatient: writer === 'cells', gone});
	const cells: CellWriter | undefined = writer === 'cells' ? createCellWriter(output, size) : undefined;
	const lines = kind === 'lines' ? createPlainLines(output.write) : undefined;
	let wanted: WantedModes = {
		isAlternate: isWhole,
		isByCells: cells !== undefined,
		hasTitle,
		mouse: mouse && isWhole,
		kitty: false,
	};
	const passOn = (frame: string, done: () => void) => {
		output.write(frame);
		output.whenTaken(done);
		return output.isTaken;
	};
	const inkStdout = new InkStdout(cells?.sink ?? lines ?? {write: passOn}, size);
	inkStdout.isMuted = true;
	let ink: Redrawable | undefined;
	let isEntered = false;
	let title = '';

	function repaint(): void {
		if (!isEntered) return;
		if (cells !== undefined) cells.repaint();
		else if (isWhole) {
			// Ink erases relative to a cursor that may be anywhere by now; the whole screen is erased instead.
			inkStdout.isMuted = true;
			ink?.clear();
			inkStdout.isMuted = false;
			output.write(eraseScreen);
		}
		lines?.forget();
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
			if (lines === undefined) output.write(screenModes(wanted).enter + title);
			cells?.start();
		},
		leave(milliseconds) {
			if (!isEntered) return true;
			isEntered = false;
			inkStdout.isMuted = true;
			const cleared = cells?.stop() ?? '';
			lines?.end();
			// Where rows stay behind, the shell goes on below them.
			const last = isWhole ? '' : kind === 'spoken' ? '\n' : undefined;
			return last === undefined || output.writeLast(cleared + last + screenModes(wanted).leave, milliseconds);
		},
		repaint,
		send(bytes) {
			if (isEntered && lines === undefined) output.write(bytes);
		},
		want(mode, isWanted) {
			if (!isWhole || wanted[mode] === isWanted) return;
			wanted = {...wanted, [mode]: isWanted};
			const {on, off} = mode === 'mouse' ? mouseReports : kittyKeys;
			if (isEntered) output.write(isWanted ? on : off);
		},
		setTitle(text) {
			if (!hasTitle) return;
			title = titleSequence(text);
			if (isEntered && lines === undefined) output.write(title);
		},
		setRedrawable(next) {
			ink = next;
		},
		follow: cells?.follow,
		setPictures(pictures) {
			cells?.setPictures(pictures);
			return cells !== undefined;
		},
	};
}

/** No terminal shows more of a title. */
const longestTitle = 200;

/** Names the terminal's window (xterm's OSC 2). */
function titleSequence(text: string): string {
	return `\u001b]2;${printable(text.slice(0, longestTitle))}\u0007`;
}
