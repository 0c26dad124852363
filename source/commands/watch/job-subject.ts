import type {JobStatusResponse} from '../../contract/job-status.ts';
import {timingsOf} from '../../store/job-timing.ts';
import {printable} from '../../terminal/printable.ts';
import {moment, span} from '../../terminal/quantity.ts';
import {furtherFields} from '../further-fields.ts';
import {eventWords, phaseTables} from './phase-table.ts';
import type {Outcome, Subject} from './subject.ts';

const known = ['job_id', 'current_phase', 'status', 'phases'];

function outcomeOf({status}: JobStatusResponse): Outcome {
	if (status === 'completed') return 'good';
	// A status that nobody knows may lead anywhere.
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
