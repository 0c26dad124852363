import {createHash} from 'node:crypto';
import type {LakeEpisode} from '../../contract/episode.ts';
import {type EpisodeSort, type SortField, sortFields} from '../../contract/local-explore.ts';
import {shownWord, wireWord} from '../../contract/spellings.ts';
import {didYouMean} from '../../query/nearest.ts';
import {inOrder} from '../episodes/sorted-reading.ts';
import type {WorkList} from '../state/work.ts';
import type {SelectionController} from './selection-controller.ts';

/** Which episodes of each task are kept. */
type Thinning =
	| {readonly by: 'chance'; readonly count: number; readonly seed: number}
	| {readonly by: 'figure'; readonly count: number; readonly sort: EpisodeSort};

type ThinningRead =
	| {readonly ok: true; readonly thinning: Thinning}
	| {readonly ok: false; readonly reason: string};

/** The accepted forms. */
const thinningForms = 'random N a task, top N a task by FIGURE, or bottom N a task by FIGURE';

/** All of them are more than a line of the screen holds. */
const someFigures = 'such as quality_score, oddness or jerk_mean';

const shownFields = sortFields.map(field => shownWord('sort', field));

const mostKept = 50_000;

/** Reads `random 100 a task`, `random 100 a task seed 7`, `top 50 a task by quality_score`. */
export function readThinning(text: string): ThinningRead {
	const read =
		/^\s*(?<how>random|top|bottom)\s+(?<count>\d{1,9})(?:\s+a\s+task)?(?:\s+by\s+(?<figure>\S+))?(?:\s+seed\s+(?<seed>\d{1,9}))?\s*$/i.exec(
			text,
		)?.groups;
	const fail = (reason: string) => ({ok: false, reason}) as const;
	if (read === undefined) return fail(`Write ${thinningForms}.`);
	const how = read.how?.toLowerCase();
	const count = Number(read.count);
	if (count < 1 || count > mostKept) return fail(`Keep at least 1 and at most ${mostKept} of each task.`);
	if (how === 'random') {
		if (read.figure !== undefined)
			return fail('random takes no figure: leave out "by …", or write top N by FIGURE.');
		return {ok: true, thinning: {by: 'chance', count, seed: Number(read.seed ?? 1)}};
	}
	const by = sortFields.find(field => field === wireWord('sort', read.figure ?? '')) as SortField | undefined;
	if (by === undefined) {
		const {figure} = read;
		if (figure === undefined) return fail(`Name the figure, ${someFigures}.`);
		return fail(`${figure} is not a figure${didYouMean(figure, shownFields) ?? ` ${someFigures}.`}`);
	}
	return {ok: true, thinning: {by: 'figure', count, sort: {by, direction: how === 'top' ? 'desc' : 'asc'}}};
}

/** A thinning in words, the seed included: the same words keep the same episodes. */
export function thinningWords(thinning: Thinning): string {
	if (thinning.by === 'chance') return `random ${thinning.count} a task seed ${thinning.seed}`;
	const {by, direction} = thinning.sort;
	return `${direction === 'desc' ? 'top' : 'bottom'} ${thinning.count} a task by ${shownWord('sort', by)}`;
}

/** An episode's lot: the same in any order and beside any other episodes. */
function lotOf(seed: number, {episode_id}: LakeEpisode): string {
	return createHash('sha256').update(`${seed} ${episode_id}`).digest('hex');
}

/** Keeps some episodes of each task of many, of which not all have to be in memory. */
export class Thinner {
	readonly #thinning: Thinning;
	readonly #tasks = new Map<string, LakeEpisode[]>();
	#seen = 0;

	constructor(thinning: Thinning) {
		this.#thinning = thinning;
	}

	/** How many episodes were there to choose from. */
	get seen(): number {
		return this.#seen;
	}

	/** How many tasks they are of. */
	get tasks(): number {
		return this.#tasks.size;
	}

	add(episodes: readonly LakeEpisode[]): void {
		this.#seen += episodes.length;
		for (const episode of episodes) {
			const task = episode.task ?? '';
			const members = this.#tasks.get(task) ?? [];
			this.#tasks.set(task, members);
			members.push(episode);
			// Twice as many as are wanted: sorting then costs little beside reading.
			if (members.length >= this.#thinning.count * 2) this.#tasks.set(task, this.#best(members));
		}
	}

	/** Those that are kept. Episodes without the figure are kept last. */
	kept(): readonly LakeEpisode[] {
		return [...this.#tasks.values()].flatMap(members => this.#best(members));
	}

	#best(members: readonly LakeEpisode[]): LakeEpisode[] {
		const thinning = this.#thinning;
		if (thinning.by === 'figure') return inOrder(members, thinning.sort).slice(0, thinning.count);
		const lots = new Map(members.map(episode => [episode, lotOf(thinning.seed, episode)]));
		const drawn = members.toSorted((a, b) => ((lots.get(a) ?? '') < (lots.get(b) ?? '') ? -1 : 1));
		return drawn.slice(0, thinning.count);
	}
}

/** Leaves of what is selected, or of all that match, only some of each task selected. */
export async function thinSelection(
	{
		selection,
		work,
		signal,
		...explorer
	}: {
		readonly selection: Pick<SelectionController, 'pages' | 'replace'>;
		readonly work: WorkList;
		readonly signal: AbortSignal;
		readonly notify: (kind: 'info' | 'error', text: string) => void;
	},
	thinning: Thinning,
): Promise<void> {
	const words = thinningWords(thinning);
	const calledOff = new AbortController();
	const report = work.begin({subject: words, loss: 'The selection stays as it is.'}, () => calledOff.abort());
	const ending = AbortSignal.any([signal, calledOff.signal]);
	const thinner = new Thinner(thinning);
	try {
		for await (const episodes of selection.pages(ending)) {
			thinner.add(episodes);
			report.notify({step: 'reading', share: undefined, amount: `${thinner.seen} episodes`});
		}
		ending.throwIfAborted();
		const kept = thinner.kept();
		selection.replace(kept);
		const tasks = thinner.tasks === 1 ? 'one task' : `${thinner.tasks} tasks`;
		explorer.notify('info', `${words}: ${kept.length} of ${thinner.seen} episodes in ${tasks} are selected.`);
	} catch (error) {
		if (!ending.aborted) explorer.notify('error', error instanceof Error ? error.message : String(error));
	} finally {
		report.end();
	}
}
