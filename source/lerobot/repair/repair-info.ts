import {DatasetError} from '../dataset-error.ts';
import {type Mp4Header, readMp4Header} from '../mp4-header.ts';
import {counters, type Draft} from './draft.ts';
import {videoFiles} from './repair-videos.ts';

async function writeCount(draft: Draft, name: string, count: number): Promise<string[]> {
	const was = draft.info[name];
	if (was === count) return [];
	draft.info[name] = count;
	return [`${name} becomes ${count}${was === undefined ? '' : `, it was ${JSON.stringify(was)}`}.`];
}

const episodesIn = (draft: Draft) => draft.number('SELECT count(DISTINCT episode_index) FROM episodes');

export const writeTotalEpisodes = async (draft: Draft): Promise<string[]> =>
	writeCount(draft, 'total_episodes', await episodesIn(draft));
export const writeTotalFrames = async (draft: Draft): Promise<string[]> =>
	writeCount(draft, 'total_frames', await draft.number('SELECT count(*) FROM frames'));
export const writeTotalTasks = async (draft: Draft): Promise<string[]> =>
	draft.tasks ? writeCount(draft, 'total_tasks', draft.tasks.length) : [];

/** One split over all episodes, unless the splits are some and each lies within them. */
export async function writeSplits(draft: Draft): Promise<string[]> {
	const count = await episodesIn(draft);
	const splits = Object.values((draft.info.splits ?? {}) as Record<string, unknown>);
	const ranges = splits
		.map(split => /^(\d+):(\d+)$/.exec(String(split)))
		.map(match => [Number(match?.[1] ?? -1), Number(match?.[2] ?? -1)] as const);
	ranges.sort((a, b) => a[0] - b[0]);
	let end = 0;
	const isWhole = ranges.every(([from, to]) => {
		const follows = from === end && to >= from;
		end = to;
		return follows;
	});
	if (ranges.length > 0 && isWhole && end === count) return [];
	draft.info.splits = {train: `0:${count}`};
	return [`splits becomes train 0:${count}.`];
}

const width = /^(?:FLOAT|DOUBLE|U?(?:TINY|SMALL|BIG)INT|U?INTEGER|BOOLEAN)(\[\d*\])?$/;

/** Declares the width that all rows of a feature have, where that is one. */
export async function writeShapes(draft: Draft): Promise<string[]> {
	const said: string[] = [];
	for (const [name, feature] of Object.entries(draft.info.features)) {
		const shape = feature.shape as readonly number[] | undefined;
		const types = new Set(draft.dataFiles.map(({columns}) => columns.get(name)));
		const [type] = types;
		if (types.size !== 1 || type === undefined || !width.test(type) || (shape?.length ?? 1) !== 1) continue;
		let found = 1;
		if (type.endsWith(']')) {
			const list = draft.dataFiles.map(({file}) => `'${draft.real(file).replaceAll("'", "''")}'`).join(', ');
			const [row] = await draft.rows<{low: number; high: number}>(
				`SELECT min(len("${name.replaceAll('"', '""')}")) AS low, max(len("${name.replaceAll('"', '""')}")) AS high FROM read_parquet([${list}])`,
			);
			if (!row || row.low !== row.high || !(row.low > 0)) continue;
			found = row.low;
		}
		if (shape?.[0] === found) continue;
		feature.shape = [found];
		if (Array.isArray(feature.names) && feature.names.length !== found) feature.names = null;
		said.push(`The shape of ${name} becomes [${found}], it was ${JSON.stringify(shape)}.`);
	}
	return said;
}

/** Takes declared features out that no data file has. */
export async function removeFeaturesWithoutData(draft: Draft): Promise<string[]> {
	if (draft.dataFiles.length === 0) return [];
	const said: string[] = [];
	for (const [name, {dtype}] of Object.entries(draft.info.features)) {
		if (dtype === 'video' || draft.dataFiles.some(({columns}) => columns.has(name))) continue;
		delete draft.info.features[name];
		if (draft.stats) delete draft.stats[name];
		said.push(`Feature ${name} is taken out of meta/info.json: no data file has it.`);
	}
	return said;
}

const dtypes: Readonly<Record<string, string>> = {
	FLOAT: 'float32',
	DOUBLE: 'float64',
	TINYINT: 'int8',
	SMALLINT: 'int16',
	INTEGER: 'int32',
	BIGINT: 'int64',
	UTINYINT: 'uint8',
	USMALLINT: 'uint16',
	UINTEGER: 'uint32',
	UBIGINT: 'uint64',
	BOOLEAN: 'bool',
	VARCHAR: 'string',
};

/** Declares columns that every data file has and `meta/info.json` does not. */
export async function declareColumns(draft: Draft): Promise<string[]> {
	const said: string[] = [];
	for (const [name, type] of draft.dataFiles[0]?.columns ?? []) {
		if (draft.info.features[name] || !draft.dataFiles.every(({columns}) => columns.get(name) === type))
			continue;
		const isLanguage = name === 'language_persistent' || name === 'language_events';
		const dtype = isLanguage ? 'language' : dtypes[type.replace(/\[\d*\]$/, '')];
		if (dtype === undefined) continue;
		draft.info.features[name] = {dtype, shape: [1], names: null};
		said.push(`Column ${name} is declared as ${dtype}.`);
	}
	return [...said, ...(said.length > 0 ? await writeShapes(draft) : [])];
}

/** Names the dimensions of cameras whose shape is height, width, channels. */
export async function nameCameraDimensions(draft: Draft): Promise<string[]> {
	const said: string[] = [];
	for (const [name, feature] of Object.entries(draft.info.features)) {
		if (feature.dtype !== 'video' && feature.dtype !== 'image') continue;
		const shape = feature.shape as readonly number[] | undefined;
		if (Array.isArray(feature.names) || shape?.length !== 3 || ![1, 3].includes(shape[2] ?? 0)) continue;
		feature.names = ['height', 'width', 'channels'];
		said.push(`The dimensions of ${name} are named height, width, channels.`);
	}
	return said;
}

/** The headers of a camera's videos that can be read. */
async function headersOf(draft: Draft, camera: string): Promise<Mp4Header[]> {
	const headers: Mp4Header[] = [];
	for (const file of await videoFiles(draft, camera)) {
		const header = await readMp4Header(draft.real(file)).catch(() => undefined);
		if (header) headers.push(header);
	}
	return headers;
}

/** Declares the size or the codec that all videos of a camera have. */
async function declareFromVideos(
	draft: Draft,
	of: (feature: Record<string, unknown>, header: Mp4Header) => string | undefined,
): Promise<string[]> {
	const said: string[] = [];
	for (const camera of draft.cameras) {
		const feature = draft.info.features[camera];
		const headers = await headersOf(draft, camera);
		const [first] = headers;
		if (!feature || !first) continue;
		if (
			headers.some(
				({width, height, codec}) => width !== first.width || height !== first.height || codec !== first.codec,
			)
		)
			continue;
		const sentence = of(feature, first);
		if (sentence !== undefined) said.push(`${camera}: ${sentence}`);
	}
	return said;
}

export const writeCameraShapes = (draft: Draft): Promise<string[]> =>
	declareFromVideos(draft, (feature, {width, height}) => {
		const shape = feature.shape as number[];
		const names = Array.isArray(feature.names) ? feature.names : [];
		const isChannelsFirst =
			/^channels?$/.test(String(names[0])) || (names.length === 0 && shape[2] !== 3 && shape[0] === 3);
		const [h, w] = isChannelsFirst ? [1, 2] : [0, 1];
		const info = feature.info as Record<string, unknown> | undefined;
		if (shape.length !== 3 || (shape[h] === height && shape[w] === width)) return undefined;
		const was = `${shape[w]}×${shape[h]}`;
		shape[h] = height;
		shape[w] = width;
		if (info && 'video.height' in info) info['video.height'] = height;
		if (info && 'video.width' in info) info['video.width'] = width;
		return `its size becomes ${width}×${height}, it was ${was}.`;
	});

export const writeCodecs = (draft: Draft): Promise<string[]> =>
	declareFromVideos(draft, (feature, {codec}) => {
		const info = feature.info as Record<string, unknown> | undefined;
		const was = info?.['video.codec'];
		if (!info || was === undefined || was === codec) return undefined;
		info['video.codec'] = codec;
		return `its codec becomes ${codec}, it was ${String(was)}.`;
	});

const renamedKeys = <Value>(all: Readonly<Record<string, Value>>, was: string, now: string) =>
	Object.fromEntries(Object.entries(all).map(([name, value]) => [name === was ? now : name, value]));

/** LeRobot's own names: of the frames' columns, and of the text that it puts beside them. */
const reserved: ReadonlySet<string> = new Set([...counters, 'task']);

/**
 * Gives a feature another name, in the description, statistics, columns and video folders.
 *
 * @throws {DatasetError} where it cannot have that name
 */
export function renameFeature(draft: Draft, was: string, now: string): string[] {
	const {features} = draft.info;
	const named = JSON.stringify(now);
	if (draft.isOld)
		throw new DatasetError('Features of a dataset of v2.1 are not renamed: convert it to v3.0 first.');
	if (!Object.hasOwn(features, was)) {
		const there = Object.keys(features).join(', ');
		throw new DatasetError(`The dataset has no feature ${JSON.stringify(was)}; it has ${there}.`);
	}
	if (reserved.has(was)) throw new DatasetError(`${was} is LeRobot's own and keeps its name.`);
	if (reserved.has(now.toLowerCase()))
		throw new DatasetError(`${named} is LeRobot's own name: give another one.`);
	if (!/^[^/\\\p{Cc}]+$/u.test(now) || now !== now.trim() || /^\.+$/.test(now))
		throw new DatasetError(
			`A feature cannot be called ${named}: a name has no slash, and is that of a folder where it is a camera's.`,
		);
	// DuckDB and some file systems take names for equal that differ by capital letters.
	const isTaken = (name: string) => name !== was && name.toLowerCase() === now.toLowerCase();
	const inside = (name: string) => /^(?:stats|videos)\/([^/]+)\//.exec(name)?.[1] ?? '';
	if (
		was === now ||
		Object.keys(features).some(isTaken) ||
		draft.dataFiles.some(({columns}) => [...columns.keys()].some(isTaken)) ||
		[...draft.episodeColumns, ...draft.files].some(name => isTaken(inside(name)))
	)
		throw new DatasetError(`The dataset has a feature, a column or a folder ${named} already.`);
	draft.info.features = renamedKeys(features, was, now);
	if (draft.stats) {
		const {[now]: _stale, ...stats} = draft.stats;
		draft.stats = renamedKeys(stats, was, now);
	}
	draft.renamed.set(was, now);
	const from = `videos/${was}/`;
	const videos = draft.files.filter(
		file => file.startsWith(from) && (draft.moved.has(file) || !draft.aside.has(file)),
	);
	for (const file of videos) {
		draft.moved.set(`videos/${now}/${file.slice(from.length)}`, draft.moved.get(file) ?? file);
		draft.moved.delete(file);
		draft.aside.add(file);
	}
	const moved =
		videos.length > 0
			? `, with ${videos.length === 1 ? 'its video file' : `its ${videos.length} video files`}`
			: '';
	return [`Feature ${JSON.stringify(was)} is renamed to ${named}${moved}.`];
}
