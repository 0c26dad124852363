import {randomUUID} from 'node:crypto';
import type {Client} from '../../client/client.ts';
import {ServiceError} from '../../client/errors.ts';
import type {LakeEpisode} from '../../contract/episode.ts';
import {
	type ComposeRecord,
	type ComposeRequest,
	type ComposeSummary,
	mostComposed,
} from '../../contract/local-compose.ts';
import {noFilter} from '../../query/filter.ts';
import {print} from '../../query/print.ts';
import {selectedPages} from '../selection/selected-pages.ts';
import type {Selection} from '../selection/selection.ts';
import type {Outbox} from '../state/outbox.ts';

/** How the wish for a dataset ended. */
export type ComposeOutcome =
	| {readonly kind: 'ordered'; readonly record: ComposeRecord}
	/** Nothing was made; each reason is a sentence. */
	| {readonly kind: 'refused'; readonly reasons: readonly string[]}
	/** Its answer was lost, and the service does not tell of it so far. */
	| {readonly kind: 'unknown'; readonly reason: string};

type ComposeParts = {
	readonly client: Pick<Client, 'explore' | 'compose' | 'composition'>;
	readonly outbox: Outbox;
};

/** The dataset to make, under an operation id of ours, so that a lost answer is settled by reading that operation. */
type Composition = {
	readonly name: string;
	readonly selection: Selection;
	/** Rejected episodes are taken too, and not left out. @default false */
	readonly withRejected?: boolean;
	/** @default a new one */
	readonly operationId?: string;
};

/** Reads a composition. @returns undefined where the service knows none of this id */
export async function readComposition(
	client: Pick<Client, 'composition'>,
	operationId: string,
	signal: AbortSignal,
): Promise<ComposeRecord | undefined> {
	try {
		return (await client.composition(operationId, {signal})).data;
	} catch (error) {
		if (error instanceof ServiceError && error.status === 404) return undefined;
		throw error;
	}
}

/** True if a selection is a filter for rejected episodes: then they are wanted, and not left out. */
export const asksForRejected = (selection: Selection): boolean =>
	selection.by === 'query' && selection.filter.review === 'rejected';

/** How many rejected episodes a composed dataset is made without, in words; undefined for none. */
export const leftOutWords = (count: number): string | undefined =>
	count === 0 ? undefined : `${count} rejected ${count === 1 ? 'one is' : 'ones are'} left out`;

/**
 * Orders one new dataset of the episodes that are selected. The service then writes and ingests it.
 *
 * @param signal gives up reading which episodes they are; once it is ordered, it is.
 * @throws what the request failed with, where that is no refusal.
 */
export async function composeSelection(
	{client, outbox}: ComposeParts,
	{name, selection, withRejected = false, operationId = randomUUID()}: Composition,
	signal: AbortSignal,
): Promise<ComposeOutcome> {
	const ids: string[] = [];
	const embodiments = new Embodiments();
	for await (const {episodes, total} of selectedPages(client, selection, signal)) {
		if (total > BigInt(mostComposed)) {
			const most = `These are ${total} episodes; a dataset can be composed of at most ${mostComposed}.`;
			return {kind: 'refused', reasons: [most]};
		}
		ids.push(...episodes.map(({episode_id}) => episode_id));
		embodiments.add(episodes);
	}
	signal.throwIfAborted();
	if (ids.length === 0) return {kind: 'refused', reasons: ['There are no episodes to compose.']};
	const composition: ComposeRequest = {
		name,
		episode_ids: ids,
		operation_id: operationId,
		...((withRejected || asksForRejected(selection)) && {include_rejected: true}),
	};
	const entry = {id: operationId, kind: 'composition', name, request: {name, episodes: ids.length}};
	const outcome = await outbox.send(entry, {
		send: async () => (await client.compose(composition)).data,
		look: looking => readComposition(client, operationId, looking),
	});
	switch (outcome.kind) {
		case 'made':
			return {kind: 'ordered', record: outcome.made};
		case 'refused':
			return {kind: 'refused', reasons: reasonsOf(outcome.error, embodiments)};
		case 'unknown':
			return {kind: 'unknown', reason: `${outcome.reason} The uploads (2) show ${name} once it is there.`};
		default:
			return {kind: 'unknown', reason: `The service does not know ${name}: it was not started.`};
	}
}

/** @throws what it failed with, where that is no refusal */
function reasonsOf(error: unknown, embodiments: Embodiments): readonly string[] {
	if (!(error instanceof ServiceError)) throw error;
	return composeReasons(error, embodiments);
}

/**
 * Why a service would not compose, a sentence each.
 *
 * @param embodiments those of the episodes: where they are several, that and the way out are said first.
 */
export function composeReasons(error: ServiceError, embodiments: Embodiments): readonly string[] {
	const {problems} = error;
	if (problems.length === 0) return [error.detail ?? error.message];
	const isOfEpisodes = problems.some(({field}) => field.startsWith('episode_ids'));
	const severally = isOfEpisodes ? embodiments.wayToOne() : undefined;
	return [...(severally === undefined ? [] : [severally]), ...saidOnce(problems.map(({message}) => message))];
}

/** Sentences that all begin alike, up to a colon: that is said once, above them. */
function saidOnce(sentences: readonly string[]): readonly string[] {
	const [first = ''] = sentences;
	const head = first.slice(0, first.indexOf(': ') + 2);
	const isShared = head !== '' && sentences.length > 1 && sentences.every(each => each.startsWith(head));
	return isShared ? [head.trimEnd(), ...sentences.map(each => each.slice(head.length))] : sentences;
}

/** More names than these are not told apart at a glance. */
const mostNamed = 4;

/** The embodiments of episodes that come page by page. */
export class Embodiments {
	readonly #counts = new Map<string, number>();

	add(episodes: readonly Pick<LakeEpisode, 'interface_hash'>[]): void {
		for (const {interface_hash: name} of episodes) {
			if (name != null) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
		}
	}

	/** A sentence that names them, those of most episodes first, and how to keep one. @returns undefined for one alone */
	wayToOne(): string | undefined {
		const names = [...this.#counts].toSorted(([, a], [, b]) => b - a).map(([name]) => name);
		const [first] = names;
		if (first === undefined || names.length < 2) return undefined;
		const further = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : '';
		const named = `${names.slice(0, mostNamed).join(', ')}${further}`;
		const term = print({...noFilter, interfaces: [first]});
		return `These episodes have ${names.length} layouts: ${named}. Filter for one of them, for example ${term}.`;
	}
}

/** How counts and sizes are written. */
type Written = {
	readonly counted: (count: number, noun: string) => string;
	readonly byteSize: (bytes: number) => string;
};

/** How many bytes the videos of a composed dataset take, and what of it is the parents' own; undefined without any. */
export function videoWords(
	{videos, videos_cut = 0, video_bytes, video_bytes_linked = 0}: ComposeSummary,
	{counted, byteSize}: Written,
): string | undefined {
	if (videos === 0 || video_bytes === undefined) return undefined;
	const which = videos_cut === videos ? '' : `${videos_cut} of them `;
	const cut = videos_cut > 0 ? `, ${which}cut to the chosen episodes` : '';
	const linked =
		video_bytes_linked > 0 ? `, ${byteSize(video_bytes_linked)} of that shared with the parents` : '';
	return `${counted(videos, 'video file')}${cut}: ${byteSize(video_bytes)}${linked}`;
}
