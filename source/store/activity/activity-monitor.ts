import {createStore, type StoreApi} from 'zustand/vanilla';
import type {IngestRecord, SampleStatus} from '../../contract/local.ts';
import type {Count} from '../../contract/scalars.ts';
import type {EpisodeWindow} from '../episodes/episode-window.ts';
import {hasEnded, type JobEntry} from '../jobs/job-entry.ts';
import type {JobsFeed, JobsKnown} from '../jobs/jobs-feed.ts';
import type {LocalKnowledge, LocalWatch} from '../queries/local-document.ts';
import type {Remembered} from '../state/remembered.ts';
import {generationWords, type UploadEntry} from '../uploads/upload-entry.ts';
import type {UploadFeed, UploadFeedKnown} from '../uploads/upload-feed.ts';
import {endedJobs, endedUploads, jobNews, type News, told, uploadNews} from './endings.ts';

type ActivityMonitorOptions = {
	readonly uploads: UploadFeed;
	readonly jobs: JobsFeed;
	readonly local: LocalWatch;
	readonly remembered: Remembered;
	/** Settles when what earlier runs remembered is there. */
	readonly recalled: () => Promise<void>;
	readonly window: Pick<EpisodeWindow, 'result'>;
	/** The list that shows; what ends there is seen. */
	readonly shown: () => string;
	readonly notify: (news: News) => void;
};

/** Work under way, and how much of it has ended: for users who look at another window. */
type Watch = {readonly underWay: number; readonly ended: number};

/** How often the time is saved until which the user looked; a killed run counts until the last one. */
const lookMs = 60_000;

/** Watches uploads and jobs behind other views, and reports what ended, now and since the last run. */
export class ActivityMonitor {
	readonly state: StoreApi<Watch> = createStore((): Watch => ({underWay: 0, ended: 0}));
	readonly #options: ActivityMonitorOptions;
	readonly #stops: (() => void)[] = [];
	/** When the user last looked before this run, in milliseconds since 1970; undefined if not known. */
	since: number | undefined;
	#hasArrived = false;
	#isStopped = false;

	constructor(options: ActivityMonitorOptions) {
		this.#options = options;
		const {local} = options;
		this.#stops.push(
			local.known.subscribe((known, before) => this.#ended(ingestNews(before, known), {isShown: false})),
		);
	}

	/** Reads behind other views too, once what earlier runs remembered is there. */
	async start(): Promise<void> {
		const {uploads, jobs, remembered, recalled} = this.#options;
		await recalled();
		if (this.#isStopped) return;
		const {lookedAt, episodes} = remembered.state.getState();
		this.since = lookedAt;
		this.#stops.push(
			uploads.known.subscribe((known, before) => this.#uploadsChanged(known, before)),
			jobs.known.subscribe((known, before) => this.#jobsChanged(known, before)),
		);
		const arrive = () => this.#arrive({lookedAt, episodesBefore: episodes});
		this.#stops.push(uploads.known.subscribe(arrive), jobs.known.subscribe(arrive));
		uploads.begin();
		jobs.begin();
		const timer = setInterval(() => this.looked(), lookMs).unref();
		this.#stops.push(() => clearInterval(timer));
	}

	/** The user has looked until now: what ended before is not news to the next run. */
	looked(): void {
		// News that is not reported yet is left to the next run.
		if (!this.#hasArrived) return;
		const episodes = this.#episodes();
		this.#options.remembered.looked({
			lookedAt: Date.now(),
			...(episodes !== undefined && {episodes: Number(episodes)}),
		});
	}

	stop(): void {
		this.#isStopped = true;
		for (const stop of this.#stops.splice(0)) stop();
	}

	/** Once everything that an earlier run may have seen otherwise is read: says what is new. */
	#arrive(before: {lookedAt: number | undefined; episodesBefore: number | undefined}): void {
		const {uploads, jobs, notify} = this.#options;
		const [ofUploads, ofJobs] = [uploads.known.getState(), jobs.known.getState()];
		if (this.#hasArrived || !ofUploads.isCurrent || !ofJobs.isCurrent) return;
		this.#hasArrived = true;
		const text = newsSince({
			...before,
			episodes: this.#episodes(),
			uploads: ofUploads.entries,
			jobs: ofJobs.jobs,
		});
		if (text !== undefined) notify({kind: 'info', text});
		this.looked();
	}

	/** How many episodes the lake holds, where the service told it or nothing is filtered out. */
	#episodes(): Count | undefined {
		const {window, local} = this.#options;
		const {totals, question} = window.result.getState();
		const inAll = local.known.getState().document?.lake.episodes;
		return inAll ?? (Object.keys(question).length === 0 ? totals?.episodes : undefined);
	}

	#uploadsChanged({entries}: UploadFeedKnown, before: UploadFeedKnown): void {
		if (entries === before.entries) return;
		this.#count();
		if (!this.#hasArrived) return;
		const {local, shown} = this.#options;
		const {ingests, document} = local.known.getState();
		// Ingests of the embedded service are reported from its own list.
		const known = new Set(ingests.map(({operation_id}) => operation_id));
		const ended = endedUploads(before.entries, entries).filter(
			({operationId}) => !document?.lake.sample && !known.has(operationId ?? ''),
		);
		this.#ended(ended.map(uploadNews), {isShown: shown() === 'uploads'});
	}

	#jobsChanged({jobs}: JobsKnown, before: JobsKnown): void {
		this.#count();
		if (!this.#hasArrived) return;
		const ended = endedJobs(before.jobs, jobs);
		this.#ended(ended.map(jobNews), {isShown: this.#options.shown() === 'jobs'});
	}

	#ended(news: readonly News[], {isShown}: {isShown: boolean}): void {
		if (news.length === 0) return;
		this.state.setState(({ended}) => ({ended: ended + news.length}));
		if (!isShown) for (const each of told(news)) this.#options.notify(each);
	}

	#count(): void {
		const {uploads, jobs} = this.#options;
		const moving = uploads.known
			.getState()
			.entries.filter(({done, quiet, phase}) => !done && !quiet && phase);
		const running = jobs.known.getState().jobs.filter(job => job.status !== undefined && !hasEnded(job));
		const underWay = moving.length + running.length;
		if (underWay !== this.state.getState().underWay) this.state.setState({underWay});
	}
}

type Arrival = {
	/** When the user last looked, in milliseconds since 1970; undefined if never. */
	readonly lookedAt: number | undefined;
	/** Episodes in the lake then, and now; undefined where that is not known. */
	readonly episodesBefore: number | undefined;
	readonly episodes: Count | undefined;
	readonly uploads: readonly UploadEntry[];
	readonly jobs: readonly JobEntry[];
};

const some = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** When a job ended, as far as its fields or its events tell. */
function endOf({fields, timings}: JobEntry): number | undefined {
	const told = typeof fields.ended_at === 'string' ? Date.parse(fields.ended_at) : Number.NaN;
	if (!Number.isNaN(told)) return told;
	const moments = timings.flatMap(({events}) => events.flatMap(({at}) => at ?? []));
	return moments.length === 0 ? undefined : Math.max(...moments);
}

/** A sentence on what is new since the user last looked; undefined if nothing is. */
export function newsSince({lookedAt, episodesBefore, episodes, uploads, jobs}: Arrival): string | undefined {
	if (lookedAt === undefined) return undefined;
	const more = episodes === undefined || episodesBefore === undefined ? 0 : Number(episodes) - episodesBefore;
	const ended = uploads.filter(({done, updatedAt}) => done && updatedAt > lookedAt);
	const failed = ended.filter(({phase}) => phase === 'failed').length;
	const over = jobs.filter(job => hasEnded(job) && (endOf(job) ?? 0) > lookedAt);
	const byStatus = (status: string) => over.filter(job => job.status === status).length;
	const [completed, broken, cancelled] = [byStatus('completed'), byStatus('failed'), byStatus('cancelled')];
	const parts = [
		more > 0 ? some(more, 'episode') : '',
		ended.length > failed ? `${some(ended.length - failed, 'upload')} ingested` : '',
		failed > 0 ? `${some(failed, 'upload')} failed` : '',
		completed > 0 ? `${some(completed, 'job')} completed` : '',
		broken > 0 ? `${some(broken, 'job')} failed` : '',
		cancelled > 0 ? `${some(cancelled, 'job')} cancelled` : '',
	].filter(Boolean);
	return parts.length === 0 ? undefined : `New since you last looked: ${parts.join(', ')}.`;
}

/** Reports ingests that have ended, and a sample that could not be made. */
function ingestNews(before: LocalKnowledge, after: LocalKnowledge): readonly News[] {
	const wereMoving = new Set(
		before.ingests.filter(({status}) => !status.done).map(({operation_id}) => operation_id),
	);
	const ended = after.ingests.filter(({operation_id, status}) => status.done && wereMoving.has(operation_id));
	// Fourteen sentences about simulated datasets would hide the keys for a minute.
	const own = after.document?.lake.sample ? [] : ended.map(newsOf);
	return [...own, ...sampleNews(before.sample, after.sample)];
}

function newsOf({dataset_name, status, problem_count}: IngestRecord): News {
	if (status.phase === 'failed') {
		return {
			kind: 'error',
			text: `${dataset_name} was not ingested: ${status.message || 'no reason was given'}`,
		};
	}
	const episodes = status.episode_count ?? 0;
	const [, ...changes] = generationWords(status);
	const parts = [`${episodes} episode${episodes === 1 ? '' : 's'}`, ...changes];
	const taken = `${dataset_name} is in the lake: ${parts.join(', ')}`;
	if (problem_count === 0) return {kind: 'info', text: `${taken}.`};
	const problems = problem_count === 1 ? 'one problem' : `${problem_count} problems`;
	const way = {action: 'view.uploads', does: 'shows them among the uploads'};
	return {kind: 'warning', text: `${taken}, with ${problems}.`, way};
}

function sampleNews(before: SampleStatus | undefined, after: SampleStatus | undefined): readonly News[] {
	if (after?.phase !== 'failed' || before?.phase === 'failed') return [];
	return [{kind: 'error', text: `The sample could not be made: ${after.message ?? 'no reason was given'}`}];
}
