import type {FrameSink} from './ink-streams.ts';

/** A teletype can't take a line back: so often it prints what has changed, and not oftener. */
const printEveryMs = 200;

/** Frames for a terminal that can only be written to line by line. */
export type PlainLines = FrameSink & {
	/** The next frame is printed whole. */
	forget(): void;
	/** Prints what is still to be printed, and no more. */
	end(): void;
};

/**
 * Prints of each frame the rows that were not there before, so that a moved selection is a line or two and no screenful.
 *
 * @param print takes whole lines to the terminal.
 */
export function createPlainLines(print: (lines: string) => void): PlainLines {
	let printed: readonly string[] = [];
	let newest: readonly string[] = [];
	let timer: NodeJS.Timeout | undefined;

	function flush(): void {
		timer = undefined;
		const lines = newest.filter((line, row) => line !== '' && line !== printed[row]);
		printed = newest;
		if (lines.length > 0) print(`${lines.join('\n')}\n`);
	}

	return {
		write(frame, done) {
			newest = frame.split('\n').map(row => row.trimEnd());
			timer ??= setTimeout(flush, printEveryMs);
			queueMicrotask(done);
			return true;
		},
		forget() {
			printed = [];
		},
		end() {
			clearTimeout(timer);
			flush();
		},
	};
}
