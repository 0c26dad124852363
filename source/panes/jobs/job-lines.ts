import type {Screen} from '../../components/screen.tsx';
import type {Segment} from '../../components/segment.ts';
import {currentTiming, hasEnded, type JobEntry, lastedSeconds} from '../../store/jobs/job-entry.ts';
import type {OpenedJob} from '../../store/jobs/opened-job.ts';
import {type Stuck, type UsualTimes, usualSeconds} from '../../store/jobs/stuck.ts';
import {measure, moment, zone} from '../../terminal/quantity.ts';
import {fieldLines, headingLine, type KnownField} from '../list/detail-field-lines.ts';
import {roughly, statusLook, stuckWords} from './job-words.ts';
import {phaseChart} from './phase-chart.ts';

type JobLinesOptions = {
	readonly width: number;
	readonly screen: Screen;
	readonly now: number;
	readonly stuck: Stuck | undefined;
	readonly usual: UsualTimes;
	readonly opened: OpenedJob | undefined;
};

/** So many of the newest events and lines of the log are listed. */
const shownEvents = 60;
const shownLogLines = 40;

/** What has a place of its own in the lines. */
const placed = new Set(['status', 'current_phase', 'phases', 'name', 'log']);

const wordOf = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

function headFields(
	job: JobEntry,
	{screen, now, stuck, usual, opened}: JobLinesOptions,
): readonly KnownField[] {
	const {text, role} = statusLook(job, screen.signs);
	const lasted = lastedSeconds(job, now);
	const current = currentTiming(job)?.name;
	const usually = current === undefined ? undefined : usualSeconds(job, current, usual);
	const isOver = hasEnded(job);
	const {step, steps, steps_per_second: rate, loss} = opened?.job ?? {};
	const of = steps == null ? '' : ` of ${measure(steps)}`;
	const at = rate == null ? '' : `, ${measure(rate)} a second`;
	const lost = loss == null ? '' : `, loss ${measure(loss)}`;
	const fields: readonly (KnownField | undefined)[] = [
		{
			label: 'status',
			value: `${text}${job.phase === undefined ? '' : ` ${screen.signs.separator} ${job.phase}`}`,
			role,
		},
		stuck && {label: '', value: stuckWords(stuck, current).whole, role: 'warning'},
		job.fields.rehearsal === true
			? {
					label: '',
					value: 'A rehearsal: it walks the phases without a trainer and yields no model.',
					role: 'warning',
				}
			: undefined,
		job.trouble === undefined ? undefined : {label: 'not newer', value: job.trouble, role: 'warning'},
		lasted === undefined ? undefined : {label: isOver ? 'took' : 'in it for', value: roughly(lasted)},
		usually === undefined || isOver ? undefined : {label: 'usually', value: `${roughly(usually)} here`},
		step == null ? undefined : {label: 'step', value: `${measure(step)}${of}${at}${lost}`},
	];
	return fields.filter(each => each !== undefined);
}

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
export function jobLines(job: JobEntry, options: JobLinesOptions): readonly (readonly Segment[])[] {
	const {width, screen, now, opened} = options;
	const events = eventFields(job, options);
	const further = Object.entries({...job.fields, ...opened?.job})
		.filter(([name, value]) => !placed.has(name) && value != null && value !== '')
		.map(([name, value]): KnownField => ({label: name, value: wordOf(value)}));
	const log = opened?.log?.split('\n').filter(Boolean).slice(-shownLogLines) ?? [];
	return [
		...fieldLines(headFields(job, options), width, screen),
		...(job.timings.length === 0 ? [] : [[], headingLine('Phases')]),
		...phaseChart(job.timings, {width, screen, now}),
		...(events.length === 0 ? [] : [[], headingLine(`Events, in ${zone(now)}`)]),
		...fieldLines(events, width, screen),
		...(log.length === 0 ? [] : [[], headingLine('Log, its end')]),
		...log.map((line): readonly Segment[] => [' ', line]),
		[],
		headingLine('As the service tells it'),
		...fieldLines(further, width, screen),
	];
}
