import type {StoreApi} from 'zustand/vanilla';
import type {Client} from '../../client/client.ts';
import {OutcomeUnknownError} from '../../client/errors.ts';
import type {Tell} from '../notices/notice.ts';
import type {JobEntry} from './job-entry.ts';
import type {OpenedJob} from './opened-job.ts';

type JobDeedsOptions = {
	readonly client: Pick<Client, 'localJob' | 'stopJob' | 'cancelAugmentation' | 'restartJob'>;
	readonly opened: StoreApi<OpenedJob | undefined>;
	readonly tell: Tell;
	/** What the service holds settles what became of it. */
	readonly done: (job: JobEntry) => void;
};

/** A question waits no longer for what would make it exact. */
const questionMs = 1500;

/** What can be done to a job, and what has to be known of it before. */
export class JobDeeds {
	readonly #options: JobDeedsOptions;

	constructor(options: JobDeedsOptions) {
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
			job.kind === 'augmentation' ? client.cancelAugmentation(job.id) : client.stopJob(job.id),
		);
	}

	/** Starts a fine-tune of this machine again, from its last checkpoint. */
	async restart(job: JobEntry): Promise<void> {
		await this.#change(job, 'started again', () => this.#options.client.restartJob(job.id));
	}

	async #change(job: JobEntry, words: string, call: () => Promise<unknown>): Promise<void> {
		const {tell, done} = this.#options;
		const name = job.name ?? `job ${job.id.slice(0, 8)}`;
		try {
			await call();
			tell('info', `${name} was ${words}.`);
		} catch (error) {
			const reason = error instanceof Error ? error.message : String(error);
			tell('error', error instanceof OutcomeUnknownError ? `Outcome unknown: ${reason}` : reason);
		}
		done(job);
	}
}

const withFields = (job: JobEntry, fields: Readonly<Record<string, unknown>>): JobEntry => ({
	...job,
	fields: {...job.fields, ...fields},
});
