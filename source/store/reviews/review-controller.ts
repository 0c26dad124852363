import type {StoreApi} from 'zustand/vanilla';
import type {Client} from '../../client/client.ts';
import type {LakeEpisode} from '../../contract/episode.ts';
import {mostReviewed, type ReviewRequest} from '../../contract/local-reviews.ts';
import type {EpisodeWindow} from '../episodes/episode-window.ts';
import {type Holding, hiddenSentence} from '../selection/holding.ts';
import {isNothing, type SelectionState} from '../selection/selection.ts';
import type {SelectionController} from '../selection/selection-controller.ts';
import type {Notify} from '../state/notices.ts';
import type {UndoSteps} from '../state/undo-steps.ts';
import type {Confirmation, UserState} from '../state/user-state.ts';
import {keepMarks, recallMarks} from './kept-marks.ts';

/** A person's decision about an episode. */
export type Decision = 'human_audited' | 'rejected';

type ReviewState = ReviewRequest['review_state'];

/** The part of an episode that is kept with a mark. */
type Subject = Pick<LakeEpisode, 'episode_id'> & Partial<Pick<LakeEpisode, 'dataset_name' | 'episode_index'>>;

type Wanted = ReadonlyMap<Subject, ReviewState>;

/** A change of marks. */
type Setting = {
	/** The mark of each before. */
	readonly before: ReadonlyMap<string, ReviewState>;
	/** The user was notified. */
	readonly hasSpoken: boolean;
};

type ReviewOptions = {
	readonly state: StoreApi<UserState & SelectionState>;
	readonly client: Pick<Client, 'setReviews'>;
	/** True if the service has an ability. */
	readonly can: (ability: string, signal: AbortSignal) => Promise<boolean>;
	readonly window: () => Pick<EpisodeWindow, 'refetch' | 'republish'>;
	readonly selection: () => Pick<SelectionController, 'pages' | 'holding'>;
	readonly undo: () => Pick<UndoSteps, 'push'>;
	/** Asks before it is done. */
	readonly ask: (question: Confirmation) => void;
	/** The episode under the cursor. */
	readonly current: () => LakeEpisode | undefined;
	/** Which lake it is, from one run to the next; nothing outlives this one without. */
	readonly lake: string;
	readonly mayChange: () => boolean;
	readonly notify: Notify;
};

/** Marking more than these asks first: they were not looked at one by one. */
const mostUnasked = 100;

/**
 * Decisions of people about episodes. The service keeps them if it can; otherwise they are kept on this machine and
 * shown over what the service says.
 */
export class ReviewController {
	readonly #options: ReviewOptions;
	readonly #stopped = new AbortController();
	#takesReviews: boolean | undefined;
	#hasSaid = false;
	readonly #marks = new Map<string, Decision>();
	readonly #covered = new WeakMap<LakeEpisode, LakeEpisode>();
	/** One after the other: each step back needs what the one before it found. */
	#running: Promise<void> = Promise.resolve();
	#underWay = 0;

	constructor(options: ReviewOptions) {
		this.#options = options;
		if (options.lake !== '') void this.#recall().then(() => this.#notifyUnseen());
		options.state.subscribe(({filter}, {filter: before}) => {
			if (filter.review !== before.review) void this.#notifyUnseen();
		});
	}

	/** An episode as it is to be shown: with what was decided here, where that is not told to the service. */
	readonly shown = (episode: LakeEpisode): LakeEpisode => {
		const mark = this.#marks.get(episode.episode_id);
		if (mark === undefined) return episode;
		const known = this.#covered.get(episode);
		if (known?.review_state === mark) return known;
		const covered = {...episode, review_state: mark};
		this.#covered.set(episode, covered);
		return covered;
	};

	/** Marks what is selected, after a question where that is more than it seems; the episode under the cursor where nothing is. */
	mark(decision: Decision): Promise<void> {
		const {selection} = this.#options.state.getState();
		// The cursor has gone on when its turn comes.
		const current = this.#options.current();
		if (isNothing(selection)) {
			const one = current === undefined ? [] : [current];
			const name = current && nameOf(current);
			return this.#inTurn(signal => this.#mark(decision, one, {name, signal}));
		}
		return this.#inTurn(async signal => {
			const holding = await this.#options.selection().holding(signal);
			refuseBeyond(holding.episodes);
			const reasons = reasonsToAsk(holding);
			if (reasons === undefined) return this.#mark(decision, await this.#selected(signal), {signal});
			const agree = () =>
				void this.#inTurn(async () => this.#mark(decision, await this.#selected(signal), {signal}));
			this.#options.ask(questionOf(decision, holding.episodes, reasons, agree));
		});
	}

	/** Settles when no mark is under way. */
	settled(): Promise<void> {
		return this.#running;
	}

	/** Marks are under way. */
	get isBusy(): boolean {
		return this.#underWay > 0;
	}

	async #mark(
		decision: Decision,
		episodes: readonly LakeEpisode[],
		{name, signal}: {name?: string | undefined; signal: AbortSignal},
	): Promise<void> {
		if (episodes.length === 0) return;
		const {before, hasSpoken} = await this.#set(
			new Map(episodes.map(episode => [episode, decision])),
			signal,
		);
		if (before.size === 0) return;
		const done = `${name ?? before.size.toLocaleString('en')} ${doneWords[decision]}`;
		this.#options.undo().push({takeBack: () => this.#takeBack(done, before)});
		if (hasSpoken) return;
		const where = this.#where();
		if (where === undefined) this.#options.notify('info', done, {action: 'review.undo'});
		else this.#options.notify('info', `${done}. ${where}`, {action: 'review.undo', does: 'undoes it'});
	}

	/** Where a mark is, when that is to be said: with the first that no service knows. */
	#where(): string | undefined {
		if (this.#takesReviews || this.#hasSaid) return undefined;
		this.#hasSaid = true;
		return 'This service stores no reviews: marks are kept on this machine, show only here, and filters do not know them.';
	}

	/** Gives episodes the mark again that they had before. */
	async #takeBack(done: string, before: Setting['before']): Promise<string | undefined> {
		const wanted: Wanted = new Map([...before].map(([episode_id, state]) => [{episode_id}, state]));
		let said: string | undefined;
		await this.#inTurn(async signal => {
			await this.#set(wanted, signal);
			said = `Undone: ${done}.`;
		});
		return said;
	}

	stop(): void {
		this.#stopped.abort();
	}

	async #selected(signal: AbortSignal): Promise<readonly LakeEpisode[]> {
		const episodes: LakeEpisode[] = [];
		for await (const page of this.#options.selection().pages(signal)) {
			episodes.push(...page);
			refuseBeyond(episodes.length);
		}
		return episodes;
	}

	async #set(wanted: Wanted, signal: AbortSignal): Promise<Setting> {
		this.#takesReviews ??= await this.#options.can('reviews', signal);
		return this.#takesReviews ? this.#notifyService(wanted, signal) : this.#keepHere(wanted);
	}

	async #notifyService(wanted: Wanted, signal: AbortSignal): Promise<Setting> {
		const before = new Map<string, ReviewState>();
		let unknown = 0;
		for (const [review_state, entries] of Map.groupBy(wanted, ([, state]) => state)) {
			const episode_ids = entries.map(([{episode_id}]) => episode_id);
			const {data} = await this.#options.client.setReviews({episode_ids, review_state}, {signal});
			for (const review of data.reviews) before.set(review.episode_id, decided(review.before));
			unknown += data.unknown.length;
		}
		if (unknown > 0) {
			this.#options.notify(
				'warning',
				`${counted(unknown)} changed or disappeared since they were listed, and have no mark.`,
			);
		}
		this.#options.window().refetch();
		return {before, hasSpoken: unknown > 0};
	}

	async #keepHere(wanted: Wanted): Promise<Setting> {
		const {lake, notify, window} = this.#options;
		const before = new Map<string, ReviewState>();
		for (const [{episode_id}, state] of wanted) {
			before.set(episode_id, this.#marks.get(episode_id) ?? 'unreviewed');
			if (state === 'unreviewed') this.#marks.delete(episode_id);
			else this.#marks.set(episode_id, state);
		}
		window().republish();
		const marks = [...wanted].filter(([, state]) => state !== 'unreviewed');
		const gone = new Set(
			[...wanted].flatMap(([{episode_id}, state]) => (state === 'unreviewed' ? episode_id : [])),
		);
		const kept = marks.map(([{episode_id, dataset_name, episode_index}, review_state]) => ({
			episode_id,
			review_state,
			...(dataset_name !== undefined && {dataset_name}),
			...(episode_index !== undefined && {episode_index}),
		}));
		const problem = lake === '' ? undefined : await keepMarks(lake, kept, gone);
		if (problem !== undefined) notify('warning', problem);
		return {before, hasSpoken: problem !== undefined};
	}

	async #recall(): Promise<void> {
		const {lake, notify, window} = this.#options;
		const kept = await recallMarks(lake, sentence => notify('warning', sentence));
		if (this.#stopped.signal.aborted || kept.length === 0) return;
		for (const {episode_id, review_state} of kept) {
			const state = decided(review_state);
			if (state !== 'unreviewed' && !this.#marks.has(episode_id)) this.#marks.set(episode_id, state);
		}
		window().republish();
	}

	/** A filter by reviews asks the service, which does not know the marks that are kept here. */
	async #notifyUnseen(): Promise<void> {
		const {state, can, notify} = this.#options;
		const {signal} = this.#stopped;
		const {review} = state.getState().filter;
		if (review === undefined || this.#marks.size === 0) return;
		try {
			this.#takesReviews ??= await can('reviews', signal);
		} catch {
			// A service that does not answer is told of where its rows should be.
			return;
		}
		if (signal.aborted || this.#takesReviews || state.getState().filter.review !== review) return;
		const marks = this.#marks.size === 1 ? 'the mark that is' : `the ${this.#marks.size} marks that are`;
		notify(
			'warning',
			`review:${review} matches the reviews of the service: it does not know ${marks} kept on this machine.`,
		);
	}

	#inTurn(act: (signal: AbortSignal) => Promise<void>): Promise<void> {
		if (!this.#options.mayChange()) return Promise.resolve();
		const {signal} = this.#stopped;
		this.#underWay++;
		this.#running = this.#running
			.then(() => act(signal))
			.catch((error: unknown) => {
				if (signal.aborted) return;
				this.#options.notify('error', error instanceof Error ? error.message : String(error));
			})
			.finally(() => this.#underWay--);
		return this.#running;
	}
}

/** The decision of a person; other states come from the ingest and return by themselves. */
function decided(state: string): ReviewState {
	return state === 'human_audited' || state === 'rejected' ? state : 'unreviewed';
}

const doneWords: Readonly<Record<Decision, string>> = {
	rejected: 'rejected',
	human_audited: 'kept',
};

/** The reasons to ask before a selection is marked, a sentence each; undefined if there are none. */
function reasonsToAsk({episodes, hidden, suspects}: Holding): readonly string[] | undefined {
	const healthy = episodes - suspects;
	const isMixed = suspects > 0 && healthy > 0;
	const reasons = [
		...(isMixed
			? [`${suspects.toLocaleString('en')} of them suspect, ${healthy.toLocaleString('en')} healthy.`]
			: []),
		...(hidden?.count === 0 ? [] : [hiddenSentence(hidden)]),
	];
	return reasons.length > 0 || episodes > mostUnasked ? reasons : undefined;
}

function questionOf(
	decision: Decision,
	count: number,
	reasons: readonly string[],
	agree: () => void,
): Confirmation {
	const isRejected = decision === 'rejected';
	return {
		title: `${isRejected ? 'Reject' : 'Keep'} ${counted(count)}?`,
		lines: [
			...reasons,
			`All selected episodes are ${doneWords[decision]}, whatever they were before.`,
			'This can be undone: each episode is then what it was.',
		],
		yes: isRejected ? 'reject them' : 'keep them',
		agree,
	};
}

function refuseBeyond(count: number): void {
	if (count > mostReviewed) {
		throw new Error(`At most ${mostReviewed} episodes are marked at once: select fewer.`);
	}
}

function nameOf({dataset_name, episode_index}: LakeEpisode): string {
	return `Episode ${episode_index} of ${dataset_name}`;
}

function counted(episodes: number): string {
	return episodes === 1 ? 'one episode' : `${episodes.toLocaleString('en')} episodes`;
}
