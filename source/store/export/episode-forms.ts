import type {LakeEpisode} from '../../contract/episode.ts';
import {exactJson, visibleJson} from '../../contract/json-text.ts';
import {heldMetrics} from '../../contract/metrics.ts';

const plainFields = [
	'episode_id',
	'dataset_id',
	'dataset_name',
	'episode_index',
	'task',
	'tier',
	'frame_count',
	'duration_seconds',
	'quality_score',
	'interface_hash',
	'review_state',
	'dataset_version_id',
	'parent_episode_id',
	'parent_episode_index',
	'member_ordinal',
	'episode_revision_id',
	'thumb_url',
] as const satisfies readonly (keyof LakeEpisode)[];

/** The columns of the CSV form: every field, every metric, and the tags and other metrics as JSON. */
export const csvColumns: readonly string[] = [...plainFields, 'tags', ...heldMetrics, 'other_metrics'];

/** A spreadsheet runs a cell that begins so, whatever blanks or invisible characters stand before it. */
const formula = /^[\t\r\n]|^[\s\p{C}]*[=+\-@\uff1d\uff0b\uff0d\uff20]/u;

/** A text that is a number is one in a spreadsheet too. */
const plainNumber = /^-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Control characters, lone surrogates, and what ends a line, turns it round or hides in it. */
const unprintable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\ufeff\u{e0000}-\u{e007f}]/gu;

const shortEscapes: Readonly<Record<string, string>> = {'\n': '\\n', '\r': '\\r', '\t': '\\t'};

/** As JSON writes it, since some cells are JSON. */
function escapeOf(char: string): string {
	const units = Array.from({length: char.length}, (_, at) => char.charCodeAt(at));
	return shortEscapes[char] ?? units.map(unit => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

/** A text that no spreadsheet takes for a formula and no terminal for a command. */
function safeText(text: string): string {
	const shown = text.replace(unprintable, escapeOf);
	return formula.test(text) && !plainNumber.test(text) ? `'${shown}` : shown;
}

type CsvOptions = {
	/** Texts byte for byte, for programs that read them back. @default false */
	readonly raw?: boolean;
};

function csvCell(value: unknown, {raw = false}: CsvOptions): string {
	if (value === undefined || value === null) return '';
	const text = typeof value === 'object' ? exactJson(value) : String(value);
	const cell = raw || typeof value === 'number' || typeof value === 'bigint' ? text : safeText(text);
	return /[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/**
 * One line of CSV as RFC 4180 has it, without its line end. Unless it is to be raw, a text that a spreadsheet would run
 * as a formula begins with an apostrophe, and control characters are written as escapes.
 */
export const csvLine = (cells: readonly unknown[], options: CsvOptions = {}): string =>
	cells.map(cell => csvCell(cell, options)).join(',');

export function csvRow(episode: LakeEpisode): readonly unknown[] {
	const metrics = episode.metrics ?? {};
	const others = Object.entries(metrics).filter(
		([name]) => !(heldMetrics as readonly string[]).includes(name),
	);
	return [
		...plainFields.map(field => episode[field]),
		episode.tags,
		...heldMetrics.map(field => metrics[field]),
		others.length > 0 ? Object.fromEntries(others) : undefined,
	];
}

/** How episodes are written down as text: what stands before, between and behind them. */
type TextForm = {
	readonly extension: string;
	readonly head: string;
	readonly line: (episode: LakeEpisode) => string;
	readonly between: string;
	readonly tail: (count: number) => string;
};

/** A form that is no text: its bytes, made with files in a scratch folder. */
type FileForm = {
	readonly extension: string;
	readonly pieces: (pages: Pages, scratch: string) => AsyncIterable<Uint8Array>;
};

type Pages = AsyncIterable<readonly LakeEpisode[]>;

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
	parquet: {
		extension: 'parquet',
		async *pieces(pages: Pages, scratch: string) {
			// DuckDB is no part of the start.
			const {parquetPieces} = await import('./episode-parquet.ts');
			yield* parquetPieces(pages, scratch);
		},
	},
} as const satisfies Record<string, TextForm | FileForm>;

export type EpisodeFormId = keyof typeof episodeForms;

/** Pages of episodes as pieces of text. */
export async function* written(
	{head, line, between, tail}: TextForm,
	pages: Pages,
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
