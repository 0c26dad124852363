import type {Client} from '../../client/client.ts';
import type {EventHint} from '../../client/events/event-hint.ts';
import type {Catalog} from '../catalog.ts';
import type {EpisodeWindow} from '../episode-window.ts';
import type {JobsFeed} from '../jobs/jobs-feed.ts';
import {isMoving, type LocalWatch} from '../local-watch.ts';
import {paceFor} from '../polling.ts';
import type {UploadFeed} from '../uploads/upload-feed.ts';
import {type Concerns, concernsOf} from './concerns.ts';
import {LiveStream} from './live-stream.ts';
import {PacedFetches} from './paced-fetches.ts';

type KeepFreshOptions = {
	readonly client: Client;
	readonly window: EpisodeWindow;
	readonly local: LocalWatch;
	readonly uploads: UploadFeed;
	readonly jobs: JobsFeed;
	readonly catalog: Catalog;
};

/** The embedded service's lists are two, where the document knows one. */
const listFetches = 2;

/** Has what is known fetched again when events say so, and by itself at the pace that fits what moves. */
export class KeepFresh {
	readonly stream: LiveStream;
	readonly #known: KeepFreshOptions;
	readonly #fetches = new PacedFetches();

	constructor(options: KeepFreshOptions) {
		this.#known = options;
		this.stream = new LiveStream(options.client, {
			hint: hint => {
				this.#heard(hint);
				this.#lookAgain(concernsOf(hint));
				// What an upload or a job came to is a dataset or a model more.
				this.#fetches.wish('catalog', () => options.catalog.lookNow());
			},
			missed: () => {
				this.#lookAgain({lake: true, uploads: true});
				this.#lookAgainAtJobs();
				this.#fetches.wish('catalog', () => options.catalog.lookNow());
			},
		});
		options.window.result.subscribe(({freshness}, {freshness: before}) => {
			// Who answers one question again answers the others too: none of them waits out its pause.
			if (before.state !== 'offline' || freshness.state !== 'fresh') return;
			this.#lookAgain({lake: false, uploads: true});
			this.#lookAgainAtJobs();
			this.stream.lookAgain();
		});
		this.stream.state.subscribe(({phase}, {phase: before}) => {
			if ((phase === 'live') !== (before === 'live')) this.setPace();
		});
	}

	/** Sets the pace that fits what is known. */
	setPace(): void {
		const {local, window, uploads, jobs} = this.#known;
		const isLive = this.stream.state.getState().phase === 'live';
		local.setLive(isLive);
		uploads.setLive(isLive);
		jobs.setLive(isLive);
		window.setPace(paceFor({isLive, isMoving: isMoving(local.known.getState())}));
	}

	stop(): void {
		this.stream.stop();
		this.#fetches.stop();
	}

	/** Takes up what an event names, and fetches again what is known of it, within bounds. */
	#heard(hint: EventHint): void {
		const {uploads, jobs} = this.#known;
		for (const id of uploads.heard(hint)) this.#wishForOperation(id);
		const {ids, list} = jobs.heard(hint);
		for (const id of ids) this.#wishForJob(id);
		if (list) this.#fetches.wish('job list', () => jobs.readList(), listFetches);
	}

	#wishForJob(id: string): void {
		const {jobs} = this.#known;
		// A job of which nobody knows what it is, is asked for as both.
		this.#fetches.wish(`job ${id}`, () => jobs.readJob(id), jobs.knowsKind(id) ? 1 : 2);
	}

	#wishForOperation(id: string): void {
		this.#fetches.wish(`operation ${id}`, () => this.#known.uploads.readOperation(id));
	}

	#lookAgainAtJobs(): void {
		this.#fetches.wish('job list', () => this.#known.jobs.readList(), listFetches);
		for (const id of this.#known.jobs.moving()) this.#wishForJob(id);
	}

	/** Fetches again what an event or a gap says may be old, within bounds. */
	#lookAgain({lake, uploads}: Pick<Concerns, 'lake' | 'uploads'>): void {
		if (lake) this.#fetches.wish('lake', () => this.#known.window.refresh());
		if (!uploads) return;
		const {local, uploads: feed} = this.#known;
		this.#fetches.wish('local', () => local.lookAgain(), listFetches);
		const readFeed = () => {
			feed.readList();
			for (const id of feed.moving()) this.#wishForOperation(id);
		};
		this.#fetches.wish('uploads', readFeed);
	}
}
