import {printable} from '../../terminal/printable.ts';
import {fitTo, textWidth} from '../../terminal/width.ts';
import type {MovingLine} from './moving-line.tsx';
import {type Drawing, drawingOn, writeAround} from './output.ts';

/** How far something is. */
export type Step = {
	/** The thing that is worked on. */
	readonly subject: string;
	/** The current step: `reading`, `publishing`. */
	readonly step: string;
	readonly done?: number | undefined;
	readonly total?: number | undefined;
	/** The unit of the counts. */
	readonly unit?: string | undefined;
	/** Text beside the bar instead of the counts. */
	readonly figures?: string | undefined;
};

/** Shows progress on stderr: a spinner and a bar on a terminal, one line a step elsewhere. */
export type ProgressDisplay = {
	show(step: Step): void;
	/** Takes the bar away. */
	clear(): void;
};

/** Columns of the bar; on a terminal of 80 columns bytes, rate and time left have to stand beside it. */
const barWidth = (width: number) => (width < 100 ? 12 : 20);

function bar(done: number, total: number, {width, utf8}: {width: number; utf8: boolean}): string {
	const filled = total > 0 ? Math.min(width, Math.floor((done / total) * width)) : 0;
	return (utf8 ? '▓' : '#').repeat(filled) + (utf8 ? '░' : '-').repeat(width - filled);
}

function lineOf({subject, step, done, total, unit, figures}: Step, width: number, utf8: boolean): string {
	const counts = figures ?? `${done}/${total} ${unit ?? ''}`;
	const counted =
		done === undefined || !total ? '' : `  ${bar(done, total, {width: barWidth(width), utf8})} ${counts}`;
	const line = printable(`${subject}  ${step}${counted}`, {ascii: !utf8}).trimEnd();
	return textWidth(line) > width ? fitTo(line, width) : line;
}

/** The spinner, the blank behind it, and a column that stays free: no terminal wraps then. */
const besideLine = 3;

function moving(stream: NodeJS.WriteStream, {utf8, turns}: Drawing): ProgressDisplay {
	let step: Step | undefined;
	let line: MovingLine | undefined;
	const text = (of: Step) => lineOf(of, Math.max(1, (stream.columns || 80) - besideLine), utf8);
	const open = async () => {
		const {openMovingLine} = await import('./moving-line.tsx');
		// It may be over by now.
		if (step === undefined || line !== undefined) return;
		line = openMovingLine(stream, text(step), turns ? (utf8 ? 'dots' : 'line') : undefined);
		writeAround(line);
	};
	return {
		show(next) {
			step = next;
			if (line === undefined) void open();
			else line.draw(text(step));
		},
		clear() {
			step = undefined;
			if (line === undefined) return;
			writeAround(undefined);
			line.close();
			line = undefined;
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
	const drawing = drawingOn(stream);
	return drawing === undefined ? stepwise(stream) : moving(stream, drawing);
}
