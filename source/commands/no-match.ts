import type {Client} from '../client/client.ts';
import type {LocalDocument} from '../contract/local.ts';
import type {Filter} from '../query/filter.ts';
import {print} from '../query/print.ts';
import {type Explained, explainEmpty, type Missing, type TermLeftOut} from '../store/filter/explain-empty.ts';
import {grouped} from '../terminal/quantity.ts';
import type {ChosenService} from './chosen-service.ts';
import {datasetIds} from './filter-argument.ts';

function missingSentence({kind, asked, like}: Missing): string {
	const meant = like.length === 0 ? '' : ` Did you mean ${like.join(' or ')}?`;
	return `No episode has the ${kind} ${asked}.${meant}`;
}

/** How a service explores: the embedded one has facets that the interface lacks. */
export const exploreBy = (client: Client, document: LocalDocument | undefined): Client['explore'] =>
	document?.abilities.includes('explore') ? client.localExplore : client.explore;

const short = (value: number) => String(Number(value.toPrecision(6)));

function termSentence({text, total, range}: TermLeftOut): string {
	const lies = range === undefined ? '' : `, where it goes from ${short(range.min)} to ${short(range.max)}`;
	return `Without ${text} there are ${grouped(total)}${lies}.`;
}

/**
 * The sentences printed in place of rows: that the lake is empty, or why the filter matches nothing.
 *
 * @param service.kind whether datasets of this machine can be ingested
 */
export async function noMatchSentences(
	client: Client,
	filter: Filter,
	{kind}: Pick<ChosenService, 'kind'>,
	signal?: AbortSignal,
): Promise<readonly string[]> {
	if (print({...filter, descending: false}) === '') {
		const wayOut = kind === 'lake' ? ' Ingest datasets with: lakescope ingest DIR' : '';
		return [`The lake holds no episodes.${wayOut}`];
	}
	const document = await client.localDocument({signal});
	const steps = explainEmpty(filter, {
		total: async asked => (await client.explore({...asked, limit: 1}, {signal})).data.total,
		range: async (of, asked) => (await client.histogram({of, filter: asked, bins: 1}, {signal})).data,
		wholeFacets: async () => (await exploreBy(client, document)({limit: 1}, {signal})).data.facets,
		channels: async () => (await client.listChannels({signal})).data,
		idOf: await datasetIds(client, filter, {signal}),
		abilities: document?.abilities ?? [],
	});
	let found: Explained | undefined;
	for await (const known of steps) found = known;
	const helpful = (found?.terms ?? []).filter(({total}) => Number(total) > 0);
	return [
		'No episode matches the filter.',
		...(found?.missing ?? []).map(missingSentence),
		...helpful.map(termSentence),
	];
}
