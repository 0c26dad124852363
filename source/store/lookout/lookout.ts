import {createStore, type StoreApi} from 'zustand/vanilla';
import type {Count} from '../../contract/scalars.ts';
import type {EpisodeWindow} from '../episode-window.ts';
import {ingestNews} from '../ingest-news.ts';
import {hasEnded} from '../jobs/job-entry.ts';
import type {JobsFeed, JobsKnown} from '../jobs/jobs-feed.ts';
import type {LocalWatch} from '../local-watch.ts';
import type {Remembered} from '../remembered/remembered.ts';
import type {UploadFeed, UploadFeedKnown} from '../uploads/upload-feed.ts';
import {endedJobs, endedUploads, jobNews, type News, told, uploadNews} from './endings.ts';
import {newsSince} from './since-last-looked.ts';

type LookoutOptions = {
	readonly uploads: UploadFeed;
	readonly jobs: JobsFeed;
	readonly local: LocalWatch;
	readonly remembered: Remembered;
	/** Settles when what earlier runs remembered is there. */
	readonly recalled: () => Promise<void>;
	readonly window: Pick<EpisodeWindow, 'result'>;
	/** Which list somebody looks at; what ends there is seen. */
	readonly shown: () => string;
	readonly tell: (news: News) => void;
};

/** What is under way, and how often something has ended: for who looks elsewhere altogether. */
export type Watch = {readonly underWay: number; readonly ended: number};

/** How often it is remembered that somebody looks: a run that is killed has looked until then. */
const lookMs = 60_000;

/** Watches uploads and jobs while somebody looks elsewhere, and tells what ended, now and since the last run. */
export class Lookout {
	readonly state: StoreApi<Watch> = createStore((): Watch => ({underWay: 0, ended: 0}));
	readonly #options: LookoutOptions;
	readonly #stops: (() => void)[] = [];
	/** When somebody last looked before this run, in milliseconds since 1970; undefined where nobody did, or it is not known. */
	since: number | undefined;
	#hasArrived = false;
	#isStopped = false;

	constructor(options: LookoutOptions) {
		this.#options = options;
		const {local} = options;
		this.#stops.push(
			local.known.subscribe((known, before) => this.#ended(ingestNews(before, known), {isShown: false})),
		);
	}

	/** Reads from now on also what nobody looks at, once what earlier runs remembered is there. */
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

	/** Somebody has looked until now: what ended before is no news to the next run. */
	looked(): void {
		// Who has not been told yet what was new is told by the next run.
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
		const {uploads, jobs, tell} = this.#options;
		const [ofUploads, ofJobs] = [uploads.known.getState(), jobs.known.getState()];
		if (this.#hasArrived || !ofUploads.isCurrent || !ofJobs.isCurrent) return;
		this.#hasArrived = true;
		const text = newsSince({
			...before,
			episodes: this.#episodes(),
			uploads: ofUploads.entries,
			jobs: ofJobs.jobs,
		});
		if (text !== undefined) tell({kind: 'info', text});
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
		// What the embedded service itself takes in is told from there.
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
		if (!isShown) for (const each of told(news)) this.#options.tell(each);
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
