import type {Screen} from '../../components/screen.tsx';
import {cellsOf, type Segment} from '../../components/segment.ts';
import type {Signs} from '../../components/signs.ts';
import {
	currentTiming,
	type JobEntry,
	lastedSeconds,
	type PhaseTiming,
	phaseSeconds,
} from '../../store/jobs/job-entry.ts';
import type {Stuck} from '../../store/jobs/job-faults.ts';
import {timeLeft} from '../../store/jobs/time-left.ts';
import {phaseRole, phaseSign, retryWords, roughly, statusLook, stuckWords} from './job-words.ts';

const statusWidth = 12;
const lastedWidth = 9;
const projectFrom = 120;
const leftWidth = 13;
const leftFrom = 140;

/** A job in a line: its name, status, phases, the time in the current phase, and a warning. */
export function jobRow(
	job: JobEntry,
	{width, screen, now, stuck}: {width: number; screen: Screen; now: number; stuck: Stuck | undefined},
): readonly Segment[] {
	const {signs, cell} = screen;
	const nameWidth = Math.min(30, Math.max(10, Math.floor(width / 5)));
	const project = width >= projectFrom ? [' ', cell(job.projectId?.slice(0, 8) ?? '', 8, {role: 'dim'})] : [];
	const warning =
		stuck === undefined ? '' : `${signs.warning} ${stuckWords(stuck, currentTiming(job)?.name).short}`;
	const warningWidth = warning === '' ? 0 : Math.min(warning.length, Math.floor(width / 4)) + 1;
	const {text, role} = statusLook(job, signs);
	const lasted = lastedSeconds(job, now);
	const left = timeLeft(job, now).ofHours;
	const leftWords = left === undefined || left <= 0 ? '' : `${roughly(left)} left`;
	const leftCells = width >= leftFrom ? [' ', cell(leftWords, leftWidth, {align: 'right', role: 'dim'})] : [];
	const columns =
		nameWidth + 1 + statusWidth + (project.length > 0 ? 9 : 0) + 1 + 1 + lastedWidth + warningWidth;
	const used = columns + (leftCells.length > 0 ? leftWidth + 1 : 0);
	const room = Math.max(0, width - used);
	const isRehearsal = job.fields.rehearsal === true ? 'rehearsal ' : '';
	const name = `${isRehearsal}${job.name ?? job.id}`;
	const strip =
		job.timings.length > 0
			? phaseStrip(job.timings, {width: room, screen, now})
			: [cell(job.trouble ?? job.phase ?? '', room, {role: job.trouble === undefined ? 'dim' : 'warning'})];
	return [
		cell(name, nameWidth, {cut: 'middle'}),
		' ',
		cell(text, statusWidth, {role}),
		...project,
		' ',
		...strip,
		' ',
		cell(lasted === undefined ? '' : roughly(lasted), lastedWidth, {align: 'right'}),
		...leftCells,
		...(warning === '' ? [] : [' ', cell(warning, warningWidth - 1, {role: 'warning'})]),
	];
}

/** A phase is never narrower: its sign and three letters of its name. */
const leastCells = 4;

/**
 * Shares cells among phases: each has what makes it readable, as far as there is room, and what is left goes by time.
 *
 * @param wanted cells that show a phase's name whole.
 * @param seconds how long each took; 0 where unknown.
 */
export function stripWidths(
	wanted: readonly number[],
	seconds: readonly number[],
	width: number,
): readonly number[] {
	const count = wanted.length;
	const room = width - (count - 1);
	if (count === 0 || room < count) return wanted.map((_, place) => (place < width ? 1 : 0));
	const least = Math.max(1, Math.min(leastCells, Math.floor(room / count)));
	const widths = wanted.map(() => least);
	let left = room - least * count;
	// Names first: a strip that cannot be read says nothing.
	for (const [place, cells] of wanted.entries()) {
		const more = Math.min(left, Math.max(0, cells - least));
		widths[place] = least + more;
		left -= more;
	}
	const whole = seconds.reduce((sum, each) => sum + each, 0);
	const extra = seconds.map(each => (whole > 0 ? Math.floor((left * each) / whole) : 0));
	const given = extra.reduce((sum, each) => sum + each, 0);
	const longest = seconds.indexOf(Math.max(...seconds));
	return widths.map((cells, place) => cells + (extra[place] ?? 0) + (place === longest ? left - given : 0));
}

function label({name, status}: PhaseTiming, again: string, signs: Signs): string {
	return `${phaseSign(status, signs)}${name}${again}`;
}

/** The phases of a job in one line of exactly `width` cells: sign, name, and a bar by how long each took. */
export function phaseStrip(
	timings: readonly PhaseTiming[],
	{width, screen, now}: {width: number; screen: Screen; now: number},
): readonly Segment[] {
	const {signs, cell, drawing} = screen;
	if (timings.length === 0) return [cell('', width)];
	const inWords = timings.map(timing => label(timing, retryWords(timing.retries), signs));
	const isRoom = inWords.reduce((sum, each) => sum + cellsOf(each, drawing.ascii) + 1, 0) <= width;
	const labels = isRoom
		? inWords
		: timings.map(timing => label(timing, timing.retries > 0 ? ` +${timing.retries}` : '', signs));
	const widths = stripWidths(
		labels.map(each => Math.min(24, cellsOf(each, drawing.ascii))),
		timings.map(timing => phaseSeconds(timing, now) ?? 0),
		width,
	);
	const segments: Segment[] = [];
	let used = 0;
	timings.forEach(({status}, place) => {
		const cells = widths[place] ?? 0;
		if (cells === 0 || used >= width) return;
		if (place > 0) {
			segments.push({text: signs.line.vertical, role: 'border'});
			used++;
		}
		const text = labels[place] ?? '';
		const length = cellsOf(text, drawing.ascii);
		const bar =
			length < cells - 1 ? ` ${signs.progress(status === 'pending' ? 0 : 1, cells - length - 1)}` : '';
		segments.push(cell(text + bar, cells, {role: phaseRole(status)}));
		used += cells;
	});
	return used < width ? [...segments, ' '.repeat(width - used)] : segments;
}
