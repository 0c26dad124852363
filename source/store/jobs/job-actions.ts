import type {StoreApi} from 'zustand/vanilla';
import type {Client} from '../../client/client.ts';
import {OutcomeUnknownError} from '../../client/errors.ts';
import type {Notify} from '../state/notices.ts';
import type {JobEntry} from './job-entry.ts';
import type {OpenedJob} from './opened-job.ts';

type JobActionsOptions = {
	readonly client: Pick<Client, 'localJob' | 'stopJob' | 'cancelAugmentation' | 'restartJob'>;
	readonly opened: StoreApi<OpenedJob | undefined>;
	readonly notify: Notify;
	/** Takes the job as the service has it after the action. */
	readonly done: (job: JobEntry) => void;
};

/** A question waits no longer for what would make it exact. */
const questionMs = 1500;

/** Actions on a job, with the facts that they need. */
export class JobActions {
	readonly #options: JobActionsOptions;

	constructor(options: JobActionsOptions) {
		this.#options = options;
	}

	/** The job with what only the service of its machine knows; as it is, where that cannot be read. */
	async withLocalFields(job: JobEntry): Promise<JobEntry> {
		const {client, opened} = this.#options;
		const shown = opened.getState();
		if (shown?.id === job.id && shown.job !== undefined) return withFields(job, shown.job);
		try {
			const {data} = await client.localJob(job.id, {signal: AbortSignal.timeout(questionMs)});
			return withFields(job, data);
		} catch {
			return job;
		}
	}

	/** Stops a fine-tune of this machine, or cancels an augmentation. */
	async stop(job: JobEntry): Promise<void> {
		const {client} = this.#options;
		await this.#change(job, 'asked to stop', () =>
			job.kind === 'augmentation'
				? client.cancelAugmentation(job.id).then(({data}) => creditWords(data))
				: client.stopJob(job.id).then(() => ''),
		);
	}

	/** Starts a fine-tune of this machine again, from its last checkpoint. */
	async restart(job: JobEntry): Promise<void> {
		await this.#change(job, 'started again', async () => {
			await this.#options.client.restartJob(job.id);
			return '';
		});
	}

	/** @param call gives what is to be said besides, or nothing */
	async #change(job: JobEntry, words: string, call: () => Promise<string>): Promise<void> {
		const {notify, done} = this.#options;
		const name = job.name ?? `job ${job.id.slice(0, 8)}`;
		try {
			const further = await call();
			notify('info', `${name} was ${words}.${further}`);
		} catch (error) {
			const reason = error instanceof Error ? error.message : String(error);
			notify('error', error instanceof OutcomeUnknownError ? `Outcome unknown: ${reason}` : reason);
		}
		done(job);
	}
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** The credits in the answer to a cancellation, by their names there: the interface leaves the answer's shape open. */
function creditWords(answer: unknown): string {
	if (!isRecord(answer)) return '';
	const {credits} = answer;
	const told = [
		...Object.entries(answer).filter(([name]) => /credit/i.test(name)),
		...(isRecord(credits) ? Object.entries(credits) : []),
	].flatMap(([name, value]) =>
		typeof value === 'number' ? [`${value} ${name.replaceAll('_', ' ').replace(/ ?credits?$/i, '')}`] : [],
	);
	return told.length === 0 ? '' : ` Credits: ${told.join(', ')}.`;
}

const withFields = (job: JobEntry, fields: Readonly<Record<string, unknown>>): JobEntry => ({
	...job,
	fields: {...job.fields, ...fields},
});
