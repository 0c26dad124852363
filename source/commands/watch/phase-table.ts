import type {JobStatusResponse} from '../../contract/job-status.ts';
import {type PhaseTiming, timingsOf} from '../../store/job-timing.ts';
import {printable} from '../../terminal/printable.ts';
import {counted, moment, span, zone} from '../../terminal/quantity.ts';
import {furtherLine} from '../further-fields.ts';
import {type Field, fieldTable} from '../listing/listing-command.ts';
import {outputWidth} from '../output.ts';

const knownOfEvent = ['timestamp', 'retry_attempt'];

/** An event in words: `retry 2, note=the trainer ended with 1`. */
export function eventWords({retry, event}: PhaseTiming['events'][number]): string {
	const words = [retry ? `retry ${retry}` : '', furtherLine(event, knownOfEvent)].filter(Boolean);
	return printable(words.join(', '));
}

/** How long a phase took, or has taken so far; undefined where its events don't tell. */
export function phaseSeconds({startedAt, endedAt, status}: PhaseTiming, now: number): number | undefined {
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
export function phaseTables(job: JobStatusResponse, now: number): readonly string[] {
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
