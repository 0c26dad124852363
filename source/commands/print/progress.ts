import {printable} from '../../terminal/printable.ts';
import {eraseToLineEnd} from '../../terminal/sequences.ts';
import {fitTo, textWidth} from '../../terminal/width.ts';

/** How far something is. */
export type Step = {
	/** What it is done to. */
	readonly subject: string;
	/** What is being done: `reading`, `publishing`. */
	readonly step: string;
	readonly done?: number | undefined;
	readonly total?: number | undefined;
	/** What is counted. */
	readonly unit?: string | undefined;
	/** What stands beside the bar instead of the counts. */
	readonly figures?: string | undefined;
};

/** Shows progress on stderr: a bar that moves on a terminal, one line a step elsewhere. */
export type ProgressDisplay = {
	show(step: Step): void;
	/** Takes the bar away, so that something else can be written. */
	clear(): void;
};

const barWidth = 20;

function bar(done: number, total: number, utf8: boolean): string {
	const filled = total > 0 ? Math.min(barWidth, Math.floor((done / total) * barWidth)) : 0;
	return (utf8 ? '▓' : '#').repeat(filled) + (utf8 ? '░' : '-').repeat(barWidth - filled);
}

function writesUtf8(env: NodeJS.ProcessEnv): boolean {
	return /utf-?8/i.test(env.LC_ALL || env.LC_CTYPE || env.LANG || '');
}

function moving(stream: NodeJS.WriteStream): ProgressDisplay {
	const utf8 = writesUtf8(process.env);
	let shown = false;
	return {
		show({subject, step, done, total, unit, figures}) {
			const counts = figures ?? `${done}/${total} ${unit ?? ''}`;
			const counted = done === undefined || !total ? '' : `  ${bar(done, total, utf8)} ${counts}`;
			const line = printable(`${subject}  ${step}${counted}`, {ascii: !utf8}).trimEnd();
			const width = Math.max(1, (stream.columns || 80) - 1);
			stream.write(`\r${textWidth(line) > width ? fitTo(line, width) : line}${eraseToLineEnd}`);
			shown = true;
		},
		clear() {
			if (shown) stream.write(`\r${eraseToLineEnd}`);
			shown = false;
		},
	};
}

function stepwise(stream: NodeJS.WriteStream): ProgressDisplay {
	let last = '';
	return {
		show({subject, step}) {
			const line = printable(`${subject}: ${step}`);
			if (line !== last) stream.write(`${line}\n`);
			last = line;
		},
		clear: () => undefined,
	};
}

export function progressDisplay(stream: NodeJS.WriteStream = process.stderr): ProgressDisplay {
	return stream.isTTY && process.env.TERM !== 'dumb' ? moving(stream) : stepwise(stream);
}
