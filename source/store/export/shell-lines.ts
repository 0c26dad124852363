import type {ServiceAddress} from '../../client/address.ts';
import {exactJson, visibleJson} from '../../contract/json-text.ts';
import {exploreLimits} from '../../contract/limits.ts';
import {abilitiesFor, type ExploreQuestion} from '../../contract/local-explore.ts';
import {type Filter, noFilter} from '../../query/filter.ts';
import {print} from '../../query/print.ts';
import {pickedInOrder, type Selection} from '../selection/selection.ts';

/** How the service that is explored is named outside of the explorer. */
export type ServiceName = {
	/** With which flags a command line means it. */
	readonly flags: readonly string[];
	readonly account?: string | undefined;
};

/** A word as a POSIX shell reads it back, whatever is in it. */
export function shellWord(text: string): string {
	return /^[\w@%+:,./-][\w@%+=:,./-]*$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The selection as requests: one for all that match; one an episode for those that were picked. */
function requestsOf(selection: Selection): readonly ExploreQuestion[] {
	const {max} = exploreLimits.page;
	if (selection.by === 'query') return [{...selection.question, limit: max, offset: 0}];
	return pickedInOrder(selection.picked).map(({dataset_id, episode_index}) => ({
		dataset_ids: [dataset_id],
		episode_index,
		limit: 1,
	}));
}

function filtersOf(selection: Selection): readonly Filter[] {
	if (selection.by === 'query') return [selection.filter];
	return pickedInOrder(selection.picked).map(({dataset_name, episode_index}) => ({
		...noFilter,
		datasets: [dataset_name],
		index: episode_index,
	}));
}

/**
 * The commands that print what is selected, a JSON object an episode. A filter has no way to leave single episodes out,
 * so what is excepted is taken out of the lines.
 */
export function commandLines(selection: Selection, {flags}: ServiceName): string {
	const end = ['--jsonl', ...(selection.by === 'query' ? ['--all'] : []), ...flags].map(shellWord).join(' ');
	const except = selection.by === 'query' ? pickedInOrder(selection.except) : [];
	const words = except.map(({episode_id}) => ` -e '"episode_id":"${episode_id}"'`);
	const without = words.length === 0 ? '' : ` | grep -vF${words.join('')}`;
	return filtersOf(selection)
		.map(filter => `lakescope episodes ${withFilter(print(filter), end)}${without}`)
		.join('\n');
}

/** A search for words that begin with a hyphen would be read as a flag. */
function withFilter(line: string, flags: string): string {
	if (line === '') return flags;
	return line.startsWith('-') ? `${flags} -- ${shellWord(line)}` : `${shellWord(line)} ${flags}`;
}

/** The requests that give what is selected, by curl. The key is read from the environment when they run. */
export function curlLines(
	selection: Selection,
	{origin, prefix}: Pick<ServiceAddress, 'origin' | 'prefix'>,
	{account}: ServiceName,
): string {
	const query = account === undefined ? '' : `?account_id=${encodeURIComponent(account)}`;
	const pathOf = (question: ExploreQuestion) =>
		abilitiesFor(question).length === 0 ? '/v1/datasets/explore' : '/local/v1/explore';
	const urlOf = (question: ExploreQuestion) => shellWord(`${origin}${prefix}${pathOf(question)}${query}`);
	const headers = `-H "x-api-key: $LAKESCOPE_API_KEY" -H 'content-type: application/json'`;
	return requestsOf(selection)
		.map(
			request =>
				`curl -sS ${urlOf(request)} ${headers} --data-raw ${shellWord(visibleJson(exactJson(request)))}`,
		)
		.join('\n');
}
