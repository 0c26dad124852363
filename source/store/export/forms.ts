import type {LakeEpisode} from '../../contract/episode.ts';
import {exactJson} from '../../contract/exact-json.ts';
import {visibleJson} from '../../contract/visible-json.ts';
import {csvColumns, csvLine, csvRow} from './episode-csv.ts';

/** How episodes are written down: what stands before, between and behind them. */
export type EpisodeForm = {
	readonly extension: string;
	readonly head: string;
	readonly line: (episode: LakeEpisode) => string;
	readonly between: string;
	readonly tail: (count: number) => string;
};

const lines = {between: '\n', tail: (count: number) => (count > 0 ? '\n' : '')};
const json = (episode: LakeEpisode) => visibleJson(exactJson(episode));

export const episodeForms = {
	json: {
		extension: 'json',
		head: '{"episodes":[\n',
		line: json,
		between: ',\n',
		tail: count => `\n],"total":${count}}\n`,
	},
	jsonl: {extension: 'jsonl', head: '', line: json, ...lines},
	csv: {
		extension: 'csv',
		head: `${csvLine(csvColumns)}\n`,
		line: episode => csvLine(csvRow(episode)),
		...lines,
	},
	ids: {extension: 'txt', head: '', line: ({episode_id}) => episode_id, ...lines},
} as const satisfies Record<string, EpisodeForm>;

export type EpisodeFormId = keyof typeof episodeForms;

/** Pages of episodes as pieces of text. */
export async function* written(
	{head, line, between, tail}: EpisodeForm,
	pages: AsyncIterable<readonly LakeEpisode[]>,
): AsyncGenerator<string, void> {
	let count = 0;
	yield head;
	for await (const episodes of pages) {
		const text = episodes.map(line).join(between);
		if (text !== '') yield count > 0 ? between + text : text;
		count += episodes.length;
	}
	yield tail(count);
}
