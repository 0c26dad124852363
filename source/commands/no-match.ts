import type {Client} from '../client/client.ts';
import type {Filter} from '../query/filter.ts';
import {print} from '../query/print.ts';
import {type Explained, explainEmpty, type Missing, type TermLeftOut} from '../store/filter/explain-empty.ts';
import {grouped} from '../terminal/quantity.ts';
import type {ChosenService} from './chosen-service.ts';
import {datasetIds} from './filter-argument.ts';

function missingSentence({kind, asked, like}: Missing): string {
	const meant = like.length === 0 ? '' : ` Was ${like.join(' or ')} meant?`;
	return `No episode has the ${kind} ${asked}.${meant}`;
}

const short = (value: number) => String(Number(value.toPrecision(6)));

function termSentence({text, total, range}: TermLeftOut): string {
	const lies = range === undefined ? '' : `, where it goes from ${short(range.min)} to ${short(range.max)}`;
	return `Without ${text} there are ${grouped(total)}${lies}.`;
}

/**
 * What a person is told instead of rows: that the lake is empty, or why their filter lets nothing through.
 *
 * @param service.kind whether datasets of this machine can be taken in
 */
export async function noMatchSentences(
	client: Client,
	filter: Filter,
	{kind}: Pick<ChosenService, 'kind'>,
	signal?: AbortSignal,
): Promise<readonly string[]> {
	if (print({...filter, descending: false}) === '') {
		const wayOut = kind === 'lake' ? ' lakescope ingest takes datasets in.' : '';
		return [`The lake holds no episodes.${wayOut}`];
	}
	const document = await client.localDocument({signal});
	const steps = explainEmpty(filter, {
		total: async asked => (await client.explore({...asked, limit: 1}, {signal})).data.total,
		range: async (of, asked) => (await client.histogram({of, filter: asked, bins: 1}, {signal})).data,
		wholeFacets: async () => (await client.explore({limit: 1}, {signal})).data.facets,
		channels: async () => (await client.listChannels({signal})).data,
		idOf: await datasetIds(client, filter, {signal}),
		abilities: document?.abilities ?? [],
	});
	let found: Explained | undefined;
	for await (const known of steps) found = known;
	const helpful = (found?.terms ?? []).filter(({total}) => Number(total) > 0);
	return [
		'The filter lets no episode through.',
		...(found?.missing ?? []).map(missingSentence),
		...helpful.map(termSentence),
	];
}
