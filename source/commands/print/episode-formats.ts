import type {Answer} from '../../client/answer.ts';
import type {LakeEpisode} from '../../contract/episode.ts';
import type {ExploreResponse} from '../../contract/explore.ts';
import {exactJson, visibleJson} from '../../contract/json-text.ts';
import {reviewWords} from '../../contract/vocabulary.ts';
import {csvColumns, csvLine, csvRow} from '../../store/export/episode-forms.ts';
import {printable} from '../../terminal/printable.ts';
import {score} from '../../terminal/quantity.ts';
import {outputWidth, write} from './output.ts';
import {type Column, table} from './table.ts';

type Pages = AsyncIterable<Answer<ExploreResponse>>;

/** The service's own response shape; several pages become one, whose `page_limit` is the number asked for. */
export async function printJson(pages: Pages, asked: number | undefined): Promise<void> {
	let first: ExploreResponse | undefined;
	let count = 0;
	for await (const {data} of pages) {
		if (!first) await write('{"episodes":[');
		first ??= data;
		const text = data.episodes.map(episode => visibleJson(exactJson(episode))).join(',');
		await write(count > 0 && text ? `,${text}` : text);
		count += data.episodes.length;
	}
	if (!first) return;
	const {episodes: _, ...rest} = first;
	const page_limit = asked ?? count;
	await write(`],${visibleJson(exactJson({...rest, page_limit})).slice(1)}\n`);
}

async function printLines(pages: Pages, line: (episode: LakeEpisode) => string): Promise<void> {
	for await (const {data} of pages) await write(data.episodes.map(episode => `${line(episode)}\n`).join(''));
}

/** One JSON object an episode. */
export function printJsonLines(pages: Pages): Promise<void> {
	return printLines(pages, episode => visibleJson(exactJson(episode)));
}

/** One line an episode, titles first; raw texts are made printable where they go to a terminal. */
export async function printCsv(pages: Pages, {raw}: {raw: boolean}): Promise<void> {
	const show = process.stdout.isTTY ? (text: string) => printable(text) : (text: string) => text;
	await write(`${csvLine(csvColumns)}\n`);
	await printLines(pages, episode => show(csvLine(csvRow(episode), {raw})));
}

/**
 * A table as wide as the terminal; each page is aligned by itself, so that all of them can be streamed.
 *
 * @returns whether there is any episode, on these pages or others
 */
export async function printTable(pages: Pages): Promise<boolean> {
	let titled = false;
	let found = false;
	for await (const {data} of pages) {
		const lines = table(tableColumns, data.episodes.map(tableRow), outputWidth());
		await write(
			lines
				.slice(titled ? 1 : 0)
				.map(line => `${line}\n`)
				.join(''),
		);
		titled = true;
		found ||= Number(data.total) > 0;
	}
	return found;
}

/** The table for people. */
export const tableColumns: readonly Column[] = [
	{title: 'dataset', least: 8},
	{title: '#', align: 'right'},
	{title: 's', align: 'right'},
	{title: 'frames', align: 'right'},
	{title: 'Q', align: 'right'},
	{title: 'tier', least: 6},
	{title: 'review', least: 6},
	{title: 'task', least: 8},
];

export function tableRow(episode: LakeEpisode): readonly string[] {
	return [
		episode.dataset_name,
		String(episode.episode_index),
		episode.duration_seconds.toFixed(1),
		String(episode.frame_count),
		episode.quality_score == null ? '—' : score(episode.quality_score),
		episode.tier || '—',
		reviewWords(episode.review_state),
		episode.task === '' ? '(empty)' : (episode.task ?? '—'),
	];
}
