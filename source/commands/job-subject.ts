import type {JobStatusResponse} from '../contract/job-status.ts';
import {type PhaseTiming, timingsOf} from '../store/jobs/job-entry.ts';
import {printable} from '../terminal/printable.ts';
import {counted, moment, span, zone} from '../terminal/quantity.ts';
import {type Field, fieldTable} from './listing-command.ts';
import {outputWidth} from './print/output.ts';
import {furtherFields, furtherLine} from './print/table.ts';
import type {Outcome, Subject} from './subject.ts';

const known = ['job_id', 'current_phase', 'status', 'phases'];

function outcomeOf({status}: JobStatusResponse): Outcome {
	if (status === 'completed') return 'good';
	// An unknown status may lead anywhere.
	return status === 'failed' || status === 'cancelled' ? 'bad' : 'under way';
}

/** How long a job has run, or ran, as far as its events tell. */
function ranFor(job: JobStatusResponse, now: number): string | undefined {
	const timings = timingsOf(job);
	const begun = timings.flatMap(({startedAt}) => startedAt ?? []);
	if (begun.length === 0) return undefined;
	const ended = timings.flatMap(({endedAt}) => endedAt ?? []);
	const end = outcomeOf(job) === 'under way' ? now : Math.max(...begun, ...ended);
	return span(Math.max(0, end - Math.min(...begun)) / 1000);
}

const line = (name: string, value: string) => `${printable(name).padEnd(9)} ${printable(value)}`;

function report(job: JobStatusResponse, now: number): readonly string[] {
	const ran = ranFor(job, now);
	return [
		line('job', job.job_id),
		line('status', `${job.status} · ${job.current_phase}`),
		...(ran === undefined ? [] : [line(outcomeOf(job) === 'under way' ? 'runs for' : 'ran for', ran)]),
		// An augmentation's result is among them, whatever its field is called.
		...furtherFields(job, known).map(([name, value]) => line(name, value)),
		...phaseTables(job, now),
	];
}

/** Phases that are another, and events that came, since before. */
function phaseNews(before: JobStatusResponse, job: JobStatusResponse, now: number): readonly string[] {
	const earlier = new Map(timingsOf(before).map(timing => [timing.name, timing]));
	return timingsOf(job).flatMap(timing => {
		const old = earlier.get(timing.name);
		const name = printable(timing.name);
		const events = timing.events
			.slice(old?.events.length ?? 0)
			.map(event => ({at: event.at ?? now, words: eventWords(event)}))
			.filter(({words}) => words !== '')
			.map(({at, words}) => `${moment(at)}  ${name}: ${words}`);
		const isNew = old?.status !== timing.status && timing.status !== 'pending';
		return [...events, ...(isNew ? [`${moment(now)}  ${name}: ${printable(timing.status)}`] : [])];
	});
}

function news(before: JobStatusResponse, job: JobStatusResponse, now: number): readonly string[] {
	const moved = before.status !== job.status || before.current_phase !== job.current_phase;
	const isOver = outcomeOf(job) !== 'under way';
	const ran = isOver ? ranFor(job, now) : undefined;
	const message = isOver && typeof job.message === 'string' ? `: ${job.message}` : '';
	const state = `${job.status} · ${job.current_phase}${ran === undefined ? '' : ` after ${ran}`}${message}`;
	return [...phaseNews(before, job, now), ...(moved ? [`${moment(now)}  ${printable(state)}`] : [])];
}

/** A fine-tune (4.15) or an augmentation (4.16). */
export function jobSubject(kind: 'finetune' | 'augmentation', id: string): Subject<JobStatusResponse> {
	return {
		kind,
		id,
		read: async (client, options) => {
			const {data} =
				kind === 'finetune'
					? await client.finetuneStatus(id, options)
					: await client.augmentationStatus(id, options);
			return data;
		},
		outcome: outcomeOf,
		state: ({status}) => status,
		report,
		news,
		step: ({job_id, status, current_phase}) => ({
			subject: job_id.slice(0, 8),
			step: `${status} · ${current_phase}`,
		}),
	};
}

const knownOfEvent = ['timestamp', 'retry_attempt'];

/** An event in words: `retry 2, note=the trainer ended with 1`. */
function eventWords({retry, event}: PhaseTiming['events'][number]): string {
	const words = [retry ? `retry ${retry}` : '', furtherLine(event, knownOfEvent)].filter(Boolean);
	return printable(words.join(', '));
}

/** How long a phase took, or has taken so far; undefined where its events don't tell. */
function phaseSeconds({startedAt, endedAt, status}: PhaseTiming, now: number): number | undefined {
	if (startedAt === undefined) return undefined;
	if (endedAt !== undefined) return Math.max(0, endedAt - startedAt) / 1000;
	return status === 'in_progress' ? Math.max(0, now - startedAt) / 1000 : undefined;
}

function took(timing: PhaseTiming, now: number): string | undefined {
	const seconds = phaseSeconds(timing, now);
	if (seconds === undefined) return undefined;
	return timing.endedAt === undefined ? `${span(seconds)} so far` : span(seconds);
}

const phaseFields = (now: number): readonly Field<PhaseTiming>[] => [
	{title: 'phase', least: 8, of: ({name}) => name},
	{title: 'status', of: ({status}) => status},
	{title: 'took', align: 'right', of: timing => took(timing, now)},
	{title: 'retries', align: 'right', of: ({retries}) => (retries > 0 ? String(retries) : undefined)},
	{
		title: 'events',
		align: 'right',
		of: ({events}) => (events.length > 0 ? String(events.length) : undefined),
	},
];

/** So many of the newest events are listed. */
const shownEvents = 40;

type Happening = {readonly phase: string; readonly event: PhaseTiming['events'][number]};

const eventFields: readonly Field<Happening>[] = [
	{title: 'at', of: ({event}) => (event.at === undefined ? event.event.timestamp : moment(event.at))},
	{title: 'phase', least: 8, of: ({phase}) => phase},
	{title: 'event', least: 8, of: ({event}) => eventWords(event)},
];

/** The phases of a job in a table, and its newest events in another. */
function phaseTables(job: JobStatusResponse, now: number): readonly string[] {
	const timings = timingsOf(job);
	if (timings.length === 0) return [];
	const events = timings.flatMap(({name, events: own}) => own.map(event => ({phase: name, event})));
	const shown = events.slice(-shownEvents);
	const width = outputWidth();
	const left = events.length - shown.length;
	return [
		'',
		...fieldTable(phaseFields(now), timings, width),
		...(shown.length === 0 ? [] : ['', `events, in ${zone(now)}`, ...fieldTable(eventFields, shown, width)]),
		...(left > 0 ? [`and ${counted(left, 'earlier event')}`] : []),
	];
}
