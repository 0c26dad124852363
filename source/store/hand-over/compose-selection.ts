import type {Client} from '../../client/client.ts';
import {ServiceError} from '../../client/errors.ts';
import {type ComposeRecord, mostComposed} from '../../contract/local-compose.ts';
import {selectedPages} from '../selection/selected-pages.ts';
import type {Selection} from '../selection/selection.ts';

/** How the wish for a dataset ended. */
export type ComposeOutcome =
	| {readonly kind: 'ordered'; readonly record: ComposeRecord}
	/** Nothing was made; each reason is a sentence. */
	| {readonly kind: 'refused'; readonly reasons: readonly string[]};

/**
 * Orders one new dataset of the episodes that are selected. The service then writes it and takes it in.
 *
 * @param signal gives up reading which episodes they are; once it is ordered, it is.
 * @throws what the request failed with, where that is no refusal.
 */
export async function composeSelection(
	client: Pick<Client, 'explore' | 'compose'>,
	{name, selection}: {name: string; selection: Selection},
	signal: AbortSignal,
): Promise<ComposeOutcome> {
	const ids: string[] = [];
	for await (const {episodes, total} of selectedPages(client, selection, signal)) {
		if (total > BigInt(mostComposed)) {
			const most = `These are ${total} episodes, and one dataset is composed of at most ${mostComposed}.`;
			return {kind: 'refused', reasons: [most]};
		}
		ids.push(...episodes.map(({episode_id}) => episode_id));
	}
	signal.throwIfAborted();
	if (ids.length === 0) return {kind: 'refused', reasons: ['There is no episode to compose it of.']};
	try {
		const {data} = await client.compose({name, episode_ids: ids});
		return {kind: 'ordered', record: data};
	} catch (error) {
		if (!(error instanceof ServiceError)) throw error;
		const issues = error.issues?.map(({msg}) => msg) ?? [];
		return {kind: 'refused', reasons: issues.length > 0 ? saidOnce(issues) : [error.detail ?? error.message]};
	}
}

/** Sentences that all begin alike, up to a colon: that is said once, above them. */
function saidOnce(sentences: readonly string[]): readonly string[] {
	const [first = ''] = sentences;
	const head = first.slice(0, first.indexOf(': ') + 2);
	const isShared = head !== '' && sentences.length > 1 && sentences.every(each => each.startsWith(head));
	return isShared ? [head.trimEnd(), ...sentences.map(each => each.slice(head.length))] : sentences;
}
