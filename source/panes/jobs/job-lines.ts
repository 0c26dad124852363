import type {Screen} from '../../components/screen.tsx';
import {cellsOf, type Segment} from '../../components/segment.ts';
import type {LocalMachine, MachineGpu} from '../../contract/local-jobs.ts';
import {
	currentTiming,
	hasEnded,
	type JobEntry,
	lastedSeconds,
	type PhaseTiming,
	phaseSeconds,
} from '../../store/jobs/job-entry.ts';
import {type Stuck, type UsualTimes, usualSeconds} from '../../store/jobs/job-faults.ts';
import type {OpenedJob} from '../../store/jobs/opened-job.ts';
import {timeLeft} from '../../store/jobs/time-left.ts';
import {byteSize, clockSeconds, measure, moment, zone} from '../../terminal/quantity.ts';
import {fieldLines, headingLine, type KnownField, type OpenedLine} from '../list/opened-line.ts';
import {phaseRole, phaseSign, retryWords, roughly, statusLook, stuckWords} from './job-words.ts';

/** So many of the newest events and lines of the log are listed. */
const shownEvents = 60;
const shownLogLines = 40;

/** Fields that have lines of their own. */
const placed = new Set(['status', 'current_phase', 'phases', 'name', 'log']);

const wordOf = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

function eventFields(job: JobEntry, {screen}: JobLinesOptions): readonly KnownField[] {
	return job.timings
		.flatMap(({name, events}) => events.map(event => ({name, ...event})))
		.sort((a, b) => (a.at ?? 0) - (b.at ?? 0))
		.slice(-shownEvents)
		.map(({name, at, retry, event}) => {
			const {timestamp, retry_attempt: _, ...further} = event;
			const words = Object.entries(further).map(([key, value]) =>
				key === 'note' ? wordOf(value) : `${key}=${wordOf(value)}`,
			);
			return {
				label: at === undefined ? timestamp : moment(at).slice(5),
				value: [name, retry ? `retry ${retry}` : '', ...words]
					.filter(Boolean)
					.join(` ${screen.signs.separator} `),
				...(retry ? {role: 'warning' as const} : {}),
			};
		});
}

/** A job in full: its state, its phases on a time axis, its events, its log, its fields as received. */
export function jobLines(job: JobEntry, options: JobLinesOptions): readonly OpenedLine[] {
	const {width, screen, now, opened, links} = options;
	const events = eventFields(job, options);
	const further = Object.entries({...job.fields, ...opened?.job})
		.filter(([name, value]) => !placed.has(name) && value != null && value !== '')
		.map(([name, value]): KnownField => ({label: name, value: wordOf(value)}));
	const log = opened?.log?.split('\n').filter(Boolean).slice(-shownLogLines) ?? [];
	return [
		...fieldLines(headFields(job, options), width, screen),
		...links,
		...(job.timings.length === 0 ? [] : [[], headingLine('Phases')]),
		...phaseChart(job.timings, {width, screen, now}),
		...(events.length === 0 ? [] : [[], headingLine(`Events, in ${zone(now)}`)]),
		...fieldLines(events, width, screen),
		...(log.length === 0 ? [] : [[], headingLine('Log (end)')]),
		...log.map((line): OpenedLine => [' ', line]),
		[],
		headingLine('As reported by the service'),
		...fieldLines(further, width, screen),
	];
}

type JobLinesOptions = {
	readonly width: number;
	readonly screen: Screen;
	readonly now: number;
	readonly stuck: Stuck | undefined;
	readonly usual: UsualTimes;
	readonly opened: OpenedJob | undefined;
	/** The lines that lead somewhere. */
	readonly links: readonly OpenedLine[];
};

/** Less than this and the next checkpoint may not fit. */
const scarceBytes = 5 * 2 ** 30;

type Field = KnownField | undefined;

/** A job's progress and time left, its launch, and the free disk and GPUs of its machine. */
function headFields(job: JobEntry, options: JobLinesOptions): readonly KnownField[] {
	const fields = [
		...statusFields(job, options),
		...timeFields(job, options),
		...launchFields(job),
		...(hasEnded(job) ? [] : machineFields(options.opened?.machine)),
	];
	return fields.filter(each => each !== undefined);
}

function statusFields(job: JobEntry, {screen, stuck}: JobLinesOptions): readonly Field[] {
	const {text, role} = statusLook(job, screen.signs);
	const phase = job.phase === undefined ? '' : ` ${screen.signs.separator} ${job.phase}`;
	const rehearsal = 'Rehearsal: walks through the phases without a trainer; no model results.';
	return [
		{label: 'status', value: `${text}${phase}`, role},
		stuck && {label: '', value: stuckWords(stuck, currentTiming(job)?.name).whole, role: 'warning'},
		job.fields.rehearsal === true ? {label: '', value: rehearsal, role: 'warning'} : undefined,
		job.trouble === undefined ? undefined : {label: 'not newer', value: job.trouble, role: 'warning'},
	];
}

function timeFields(job: JobEntry, {now, usual, opened}: JobLinesOptions): readonly Field[] {
	const isOver = hasEnded(job);
	const lasted = lastedSeconds(job, now);
	const current = currentTiming(job)?.name;
	const usually = current === undefined ? undefined : usualSeconds(job, current, usual);
	const {ofHours, ofSteps} = timeLeft({...job, fields: {...job.fields, ...opened?.job}}, now);
	const {step, steps, steps_per_second: rate, loss} = opened?.job ?? {};
	const of = steps == null ? '' : ` of ${measure(steps)}`;
	const at = rate == null ? '' : `, ${measure(rate)} a second`;
	const lost = loss == null ? '' : `, loss ${measure(loss)}`;
	return [
		lasted === undefined ? undefined : {label: isOver ? 'took' : 'time in phase', value: roughly(lasted)},
		usually === undefined || isOver ? undefined : {label: 'usually', value: `${roughly(usually)} here`},
		step == null ? undefined : {label: 'step', value: `${measure(step)}${of}${at}${lost}`},
		ofSteps === undefined ? undefined : {label: 'steps left', value: `${roughly(ofSteps)} at this rate`},
		ofHours === undefined ? undefined : hoursField(ofHours, ofSteps),
	];
}

function hoursField(left: number, ofSteps: number | undefined): KnownField {
	if (left <= 0)
		return {label: 'time left', value: `none: time limit reached ${roughly(-left)} ago`, role: 'warning'};
	const isShort = ofSteps !== undefined && ofSteps > left;
	return {
		label: 'time left',
		value: `${roughly(left)} of its hours${isShort ? ', which end before its steps' : ''}`,
		...(isShort && {role: 'warning'}),
	};
}

function launchFields({launch}: JobEntry): readonly Field[] {
	if (launch === undefined) return [];
	const {at, dataset, filter} = launch;
	return [
		{label: 'launched', value: `${moment(at)}, from here`},
		dataset === undefined ? undefined : {label: 'dataset', value: dataset},
		filter === undefined ? undefined : {label: 'filter', value: filter === '' ? 'none (whole lake)' : filter},
	];
}

function machineFields(machine: LocalMachine | undefined): readonly Field[] {
	if (machine === undefined) return [];
	const {disk, gpus, gpu_message: message} = machine;
	const free = disk && `${byteSize(disk.free_bytes)} free of ${byteSize(disk.total_bytes)}`;
	return [
		{
			label: 'disk',
			value: free ?? 'cannot be read',
			...(disk && disk.free_bytes < scarceBytes && {role: 'warning'}),
		},
		...gpus.map((gpu, place) => ({label: gpus.length > 1 ? `GPU ${place}` : 'GPU', value: gpuWords(gpu)})),
		gpus.length === 0
			? {label: 'GPU', value: `not known: ${message ?? 'not reported'}`, role: 'dim'}
			: undefined,
	];
}

function gpuWords({
	name,
	busy_percent: busy,
	memory_used_bytes: used,
	memory_total_bytes: total,
	temperature,
}: MachineGpu) {
	return [
		name,
		busy === null ? '' : `${measure(busy)}% busy`,
		used === null || total === null ? '' : `${byteSize(used)} of ${byteSize(total)}`,
		temperature === null ? '' : `${measure(temperature)} °C`,
	]
		.filter(Boolean)
		.join(', ');
}

const tookWidth = 20;

/** The first and the last moment that a chart shows; undefined where no event tells a time. */
export function chartSpan(
	timings: readonly PhaseTiming[],
	now: number,
): {readonly from: number; readonly to: number} | undefined {
	const starts = timings.flatMap(({startedAt}) => startedAt ?? []);
	if (starts.length === 0) return undefined;
	const isRunning = timings.some(
		({status, startedAt, endedAt}) =>
			status === 'in_progress' && startedAt !== undefined && endedAt === undefined,
	);
	const ends = timings.flatMap(({startedAt, endedAt, events}) => [
		endedAt ?? startedAt ?? 0,
		...events.flatMap(({at}) => at ?? []),
	]);
	const from = Math.min(...starts);
	// A service whose clock is ahead of this one is still shown whole.
	return {from, to: Math.max(from + 1000, ...ends, isRunning ? now : 0)};
}

/** One phase on the axis: its bar, a mark an event, retries by number. */
function barOf(
	timing: PhaseTiming,
	{width, screen, from, to, now}: {width: number; screen: Screen; from: number; to: number; now: number},
): Segment {
	const {signs} = screen;
	const place = (at: number) =>
		Math.max(0, Math.min(width - 1, Math.floor(((at - from) / (to - from)) * width)));
	const cells = Array.from({length: width}, () => ' ');
	const {startedAt, status} = timing;
	if (startedAt !== undefined) {
		const last = timing.endedAt ?? (status === 'in_progress' ? Math.max(now, startedAt) : startedAt);
		const filled = signs.progress(1, 1);
		for (let at = place(startedAt); at <= place(last); at++) cells[at] = filled;
	}
	for (const {at, retry} of timing.events) {
		if (at !== undefined) cells[place(at)] = retry ? String(retry % 10) : signs.line.vertical;
	}
	return {text: cells.join(''), role: phaseRole(status)};
}

/** The phases of a job on an axis of time, a line each, in at most `width` cells; the zone is said. */
export function phaseChart(
	timings: readonly PhaseTiming[],
	{width, screen, now}: {width: number; screen: Screen; now: number},
): readonly (readonly Segment[])[] {
	const {signs, cell, drawing} = screen;
	const span = chartSpan(timings, now);
	const names = timings.map(({name}) => cellsOf(name, drawing.ascii) + 2);
	const nameWidth = Math.max(8, Math.min(22, Math.floor(width / 4), Math.max(...names, 0)));
	const barWidth = Math.max(8, width - nameWidth - tookWidth - 3);
	const lines = timings.map((timing): readonly Segment[] => {
		const {name, status, retries} = timing;
		const seconds = phaseSeconds(timing, now);
		const words = [seconds === undefined ? '' : roughly(seconds), retryWords(retries)].join('');
		return [
			' ',
			cell(`${phaseSign(status, signs)} ${name}`, nameWidth, {role: phaseRole(status)}),
			' ',
			span === undefined ? ' '.repeat(barWidth) : barOf(timing, {width: barWidth, screen, ...span, now}),
			' ',
			cell(words, tookWidth),
		];
	});
	if (span === undefined) return lines;
	const isOneDay = moment(span.from).slice(0, 10) === moment(span.to).slice(0, 10);
	const first = moment(span.from);
	const last = isOneDay ? clockSeconds(span.to) : moment(span.to);
	const gap = Math.max(1, barWidth - first.length - last.length);
	const axis: readonly Segment[] = [
		' ',
		cell('', nameWidth),
		' ',
		{text: `${first}${' '.repeat(gap)}${last}`, role: 'dim'},
		' ',
		{text: zone(span.to), role: 'dim'},
	];
	return [...lines, axis];
}
