import {reasonOf} from '../dataset-error.ts';
import type {ReadDatabase} from '../read-database.ts';
import {quotedIdentifier} from '../sql.ts';
import {type DamageId, damageKinds, type ReportDamage} from './damage.ts';
import type {DatasetFacts} from './dataset-facts.ts';
import {counters, type EpisodeFrames, type FrameFacts, framesFrom, numericColumn} from './frame-facts.ts';
import {EpisodesText, figure, frameCount} from './words.ts';

/** LeRobot's own `tolerance_s`. */
export const toleranceSeconds = 1e-4;

/** The times, counters and values of the frames. */
export async function checkFrames(
	database: ReadDatabase,
	facts: DatasetFacts,
	frames: FrameFacts,
	report: ReportDamage,
): Promise<void> {
	const byFile = new Map<string, EpisodeFrames[]>();
	for (const episode of frames.episodes) {
		const others = byFile.get(episode.file);
		if (others) others.push(episode);
		else byFile.set(episode.file, [episode]);
	}
	let begin = 0;
	for (const [file, episodes] of byFile) {
		await checkTimes(database, facts, frames, file, episodes, report);
		checkFrameIndex(file, episodes, report);
		checkIndex(facts, frames, file, episodes, begin, report);
		begin += frames.rows.get(file) ?? 0;
	}
	await checkValues(database, facts, frames, report);
}

/** The precision of 32-bit floats at this time. */
const grain = (seconds: number) => Math.abs(seconds) * 1.2e-7;

type Times = {readonly id: DamageId; readonly what: string};

function timesOf(
	{rows, firstTime, offLow, offHigh, pace, scatter, firstRow}: EpisodeFrames,
	fps: number,
): Times | undefined {
	if (Number.isNaN(firstTime)) return {id: 'timestamps-uneven', what: 'has frames without a timestamp'};
	const allowed = toleranceSeconds + grain(firstTime + rows / fps);
	// Where the frames are not one stretch of rows, rows say nothing of their times.
	if (offHigh - offLow > allowed) {
		const total = (rows - 1) / fps;
		if (scatter < toleranceSeconds / 2 && Math.abs(pace - 1) * total > allowed) {
			const off = figure((pace - 1) * total * 1000);
			return {id: 'timestamps-drift', what: `runs ×${figure(pace)}, ${off} ms off at its end`};
		}
		return {
			id: 'timestamps-uneven',
			what: `has timestamps up to ${figure((offHigh - offLow) * 1000)} ms off the grid`,
		};
	}
	const shift = offLow + firstRow / fps;
	if (Math.abs(shift) <= allowed) return undefined;
	return {id: 'timestamps-shifted', what: `begins at ${figure(firstTime)} s`};
}

async function checkTimes(
	database: ReadDatabase,
	{info, videos}: DatasetFacts,
	frames: FrameFacts,
	file: string,
	episodes: readonly EpisodeFrames[],
	report: ReportDamage,
): Promise<void> {
	const found = new Map<DamageId, {episodes: EpisodeFrames[]; what: string}>();
	for (const episode of episodes) {
		if (episode.lastRow - episode.firstRow + 1 !== episode.rows) continue;
		const times = timesOf(episode, info.fps);
		if (!times) continue;
		const others = found.get(times.id);
		if (others) others.episodes.push(episode);
		else found.set(times.id, {episodes: [episode], what: times.what});
	}
	for (const [id, {episodes: hit, what}] of found) {
		const [first] = hit;
		const numbers = hit.map(({episode}) => episode).sort((a, b) => a - b);
		const more = hit.length > 1 ? `; ${hit.length - 1} more in this file` : '';
		const at = first && (await firstOff(database, frames, first, info.fps));
		report({
			id,
			// Only frames of videos are looked up by their times.
			severity: videos.length > 0 ? damageKinds[id].severity : 'cosmetic',
			file,
			episodes: numbers,
			...(at !== undefined && {seconds: at}),
			message: `Episode ${first?.episode} ${what}${more}.`,
		});
	}
}

/** The moment, by the place of the frame, at which an episode is first off the grid. */
async function firstOff(
	database: ReadDatabase,
	{files}: FrameFacts,
	{file, firstRow, lastRow}: EpisodeFrames,
	fps: number,
): Promise<number | undefined> {
	const at = files.filter(one => one.file === file);
	const read = await database.query(
		`SELECT min(r) FROM (SELECT file_row_number - ${firstRow} AS r, TRY_CAST("timestamp" AS DOUBLE) AS ts
			FROM ${framesFrom(at, ', file_row_number = true')}
			WHERE file_row_number BETWEEN ${firstRow} AND ${lastRow})
		WHERE ts IS NULL OR abs(ts - r / ${fps}) > ${toleranceSeconds} + abs(ts) * 1.2e-7`,
	);
	const row = read.getRows()[0]?.[0];
	return row === null || row === undefined ? undefined : Number(row) / fps;
}

function checkFrameIndex(file: string, episodes: readonly EpisodeFrames[], report: ReportDamage): void {
	const wrong = episodes.filter(
		({rows, firstRow, lastRow, frameLow, frameHigh}) =>
			lastRow - firstRow + 1 === rows &&
			!Number.isNaN(frameLow) &&
			!(frameLow === frameHigh && frameLow + firstRow === 0),
	);
	const [first] = wrong;
	if (!first) return;
	const numbers = wrong.map(({episode}) => episode).sort((a, b) => a - b);
	const begins =
		first.frameLow === first.frameHigh
			? `begins at ${first.frameLow + first.firstRow}`
			: 'is not consecutive';
	report({
		id: 'frame-index-wrong',
		file,
		episodes: numbers,
		message: `Episode ${first.episode}: frame_index ${begins}.`,
	});
}

function checkIndex(
	{info}: DatasetFacts,
	{isWhole}: FrameFacts,
	file: string,
	episodes: readonly EpisodeFrames[],
	begin: number,
	report: ReportDamage,
): void {
	const wrong = episodes.filter(
		({indexLow, indexHigh}) =>
			!Number.isNaN(indexLow) && !(indexLow === indexHigh && (!isWhole || indexLow === begin)),
	);
	const [first] = wrong;
	if (!first) return;
	// A wrong file number of v2.1 has no effect: there, episodes are looked up by their own file.
	const numbers = wrong.map(({episode}) => episode).sort((a, b) => a - b);
	const what =
		first.indexLow === first.indexHigh
			? `begins at ${first.indexLow + first.firstRow} instead of ${begin + first.firstRow}`
			: 'is not consecutive';
	report({
		id: 'index-wrong',
		severity: info.format === 'v2.1' ? 'cosmetic' : damageKinds['index-wrong'].severity,
		file,
		episodes: numbers,
		message: `${EpisodesText(numbers)}: index ${what}.`,
	});
}

/** Values that no training stands, and vectors of another width than is declared. */
async function checkValues(
	database: ReadDatabase,
	{info}: DatasetFacts,
	{files}: FrameFacts,
	report: ReportDamage,
): Promise<void> {
	for (const [name, {shape}] of Object.entries(info.features)) {
		if ((counters as readonly string[]).includes(name)) continue;
		const having = files.filter(({columns}) => numericColumn.test(columns.get(name) ?? ''));
		const [one] = having;
		if (!one || info.features[name]?.dtype === 'language') continue;
		const column = quotedIdentifier(name);
		const isList = one.columns.get(name)?.endsWith(']');
		const wanted = shape.length === 1 ? shape[0] : undefined;
		const bad = isList
			? `${column} IS NULL OR len(list_filter(${column}, v -> v IS NULL OR NOT isfinite(v::DOUBLE))) > 0`
			: `${column} IS NULL OR NOT isfinite(${column}::DOUBLE)`;
		const width = isList && wanted !== undefined ? `len(${column}) <> ${wanted}` : 'false';
		try {
			const read = await database.query(
				`SELECT filename, TRY_CAST(episode_index AS BIGINT) AS episode, count(*) FILTER (${bad}) AS bad, count(*) FILTER (${width}) AS other,
					min(TRY_CAST(frame_index AS BIGINT)) FILTER ((${bad}) OR (${width})) AS frame,
					arg_min(${isList ? `len(${column})` : '1'}, frame_index) FILTER (${width}) AS has
				FROM ${framesFrom(having, ', filename = true')} GROUP BY ALL HAVING bad > 0 OR other > 0 ORDER BY episode`,
			);
			reportValues(read.getRowObjectsJS(), {name, wanted, having, fps: info.fps}, report);
		} catch (error) {
			const message = `Feature "${name}" cannot be read (${reasonOf(error)}).`;
			report({id: 'parquet-unreadable', file: one.file, subject: name, message});
		}
	}
}

function reportValues(
	rows: readonly Record<string, unknown>[],
	about: {
		readonly name: string;
		readonly wanted: number | undefined;
		readonly having: FrameFacts['files'];
		readonly fps: number;
	},
	report: ReportDamage,
): void {
	const {name, wanted, having, fps} = about;
	const files = new Map(having.map(({real, file}) => [real, file]));
	for (const [id, column] of [
		['values-not-finite', 'bad'],
		['feature-shape-differs', 'other'],
	] as const) {
		const hit = rows.filter(row => Number(row[column]) > 0);
		const [first] = hit;
		if (!first) continue;
		const episodes = [...new Set(hit.map(({episode}) => Number(episode)))];
		const many = hit.reduce((sum, row) => sum + Number(row[column]), 0);
		const message =
			id === 'values-not-finite'
				? `Feature "${name}" is missing, NaN or infinite in ${frameCount(many)}, first in episode ${first.episode}.`
				: `Feature "${name}" is declared with ${wanted} numbers, and has ${first.has} in ${frameCount(many)}.`;
		const file = files.get(String(first.filename)) ?? '';
		report({id, file, episodes, seconds: Number(first.frame ?? 0) / fps, subject: name, message});
	}
}
