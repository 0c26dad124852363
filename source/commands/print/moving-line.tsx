import {render, Text} from 'ink';
import Spinner from 'ink-spinner';
import {InkStdin, InkStdout} from '../../terminal/ink-streams.ts';
import {eraseToLineEnd} from '../../terminal/sequences.ts';

export type MovingLine = {
	draw(line: string): void;
	/** Erases it while something else is written. */
	lift(): void;
	putBack(): void;
	/** Takes it away; nothing turns any more. */
	close(): void;
};

/** The bytes that turn one frame into the next: while only the spinner turns, those alone. */
function difference(before: string, after: string): string {
	const turns = before !== '' && before.slice(1) === after.slice(1);
	return turns ? `\r${after.slice(0, 1)}` : `\r${after}${eraseToLineEnd}`;
}

/**
 * One line on a terminal, which Ink draws over itself. The cursor stays shown, since ^Z may stop the command at any moment.
 *
 * @param spinner what turns before the line; undefined for nothing: a slow link is spared.
 */
export function openMovingLine(
	stream: NodeJS.WriteStream,
	first: string,
	spinner: 'dots' | 'line' | undefined,
): MovingLine {
	let frame = '';
	let isLifted = false;
	const stdout = new InkStdout(
		{
			write(next, done) {
				if (next !== frame && !isLifted) stream.write(difference(frame, next));
				frame = next;
				queueMicrotask(done);
				return true;
			},
		},
		() => ({columns: stream.columns || 80, rows: stream.rows || 24}),
	);
	const drawn = (line: string) => (
		<Text wrap="truncate">
			{spinner === undefined ? line : [<Spinner key="spinner" type={spinner} />, ` ${line}`]}
		</Text>
	);
	const ink = render(drawn(first), {
		stdin: new InkStdin() as unknown as NodeJS.ReadStream,
		stdout: stdout as unknown as NodeJS.WriteStream,
		stderr: stream,
		// Each frame whole, with no sequence around it.
		debug: true,
		interactive: true,
		exitOnCtrlC: false,
		patchConsole: false,
	});
	const erase = () => stream.write(`\r${eraseToLineEnd}`);
	return {
		draw: line => ink.rerender(drawn(line)),
		lift() {
			isLifted = true;
			erase();
		},
		putBack() {
			if (isLifted) stream.write(`\r${frame}${eraseToLineEnd}`);
			isLifted = false;
		},
		close() {
			isLifted = true;
			ink.unmount();
			erase();
		},
	};
}
