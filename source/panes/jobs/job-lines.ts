import type {JobEntry} from '../../store/jobs/job-entry.ts';
import {moment, zone} from '../../terminal/quantity.ts';
import {fieldLines, headingLine, type KnownField} from '../list/detail-field-lines.ts';
import type {OpenedLine} from '../list/opened-line.ts';
import {headFields, type JobLinesOptions} from './job-head-fields.ts';
import {phaseChart} from './phase-chart.ts';

/** So many of the newest events and lines of the log are listed. */
const shownEvents = 60;
const shownLogLines = 40;

/** What has a place of its own in the lines. */
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

/** All that is known of a job: its state, its phases on an axis of time, its events, its log, its fields as they came. */
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
		...(log.length === 0 ? [] : [[], headingLine('Log, its end')]),
		...log.map((line): OpenedLine => [' ', line]),
		[],
		headingLine('As the service tells it'),
		...fieldLines(further, width, screen),
	];
}
