import {isDepthMap} from '../depth.ts';
import {quotedIdentifier, quotedString} from '../sql.ts';
import {featureStats} from '../write-stats.ts';
import type {Draft, Stats} from './draft.ts';

/** Types of which LeRobot keeps statistics, one number or a list a frame. */
const numeric = /^(?:FLOAT|DOUBLE|U?(?:TINY|SMALL|BIG)INT|U?INTEGER)(\[\d*\])?$/;

/** As ImageNet's pictures are, which training takes whatever a dataset says. */
const imagenet = {mean: [0.485, 0.456, 0.406], std: [0.229, 0.224, 0.225]};

/**
 * True if a statistic is another than the data's. LeRobot computes in 32 bits, and quantiles from a histogram or from
 * those of the episodes: that is its rule, and no damage.
 */
function isOff(stat: string, was: number, right: number, range: number, isExact: boolean): boolean {
	const share = /^q\d\d$/.test(stat) && !isExact ? Number.POSITIVE_INFINITY : 1e-3;
	return !(Math.abs(was - right) <= share * Math.max(range, 1e-6) + 1e-5 * Math.abs(right));
}

const numbersIn = (value: unknown): number[] =>
	Array.isArray(value) ? value.flatMap(numbersIn) : typeof value === 'number' ? [value] : [Number.NaN];

async function computed(draft: Draft, name: string): Promise<Record<string, (number | null)[]> | undefined> {
	const files = draft.dataFiles.filter(({file}) => !draft.aside.has(file));
	const type = files[0]?.columns.get(name);
	if (type === undefined || !numeric.test(type) || !files.every(({columns}) => columns.get(name) === type))
		return undefined;
	const [first] = (draft.info.features[name]?.shape as number[] | undefined) ?? [1];
	const width = type.endsWith(']') ? (first ?? 1) : 1;
	const isCounter = ['timestamp', 'frame_index', 'episode_index', 'index', 'task_index'].includes(name);
	const places = draft.dataFiles.flatMap(({file}, place) => (draft.aside.has(file) ? [] : [place]));
	const source = isCounter
		? `frames WHERE file IN (${places.join(', ')})`
		: `read_parquet([${files.map(({file}) => quotedString(draft.real(file))).join(', ')}])`;
	const stats: Record<string, (number | null)[]> = {};
	const connection = await draft.connect();
	try {
		for (let dim = 0; dim < width; dim++) {
			const of = type.endsWith(']') ? `${quotedIdentifier(name)}[${dim + 1}]` : quotedIdentifier(name);
			const read = await connection.runAndReadAll(`SELECT (${of})::DOUBLE AS value FROM ${source}`);
			const values = Float64Array.from(read.getColumnsJS()[0] ?? [], value =>
				value === null ? Number.NaN : Number(value),
			);
			for (const [stat, found] of Object.entries(featureStats(values, values.length, 1))) {
				if (stat === 'count') stats[stat] = [...found];
				else stats[stat] = [...(stats[stat] ?? []), ...found];
			}
		}
	} finally {
		connection.closeSync();
	}
	return stats;
}

function differs(
	stated: Record<string, unknown> | undefined,
	right: Record<string, (number | null)[]>,
	isExact: boolean,
): boolean {
	if (!stated) return true;
	return Object.entries(right).some(([stat, numbers]) => {
		const was = numbersIn(stated[stat]);
		return (
			was.length !== numbers.length ||
			numbers.some((number, dim) => {
				const range = (right.max?.[dim] ?? 0) - (right.min?.[dim] ?? 0);
				return number !== null && isOff(stat, was[dim] ?? Number.NaN, number, range, isExact);
			})
		);
	});
}

/** Computes the statistics of numbers exactly, where they are others. @param isExact LeRobot's own quantiles too */
export async function recomputeStats(draft: Draft, isExact: boolean): Promise<string[]> {
	if (draft.isOld || draft.dataFiles.length === 0) return [];
	const stats: Stats = draft.stats ?? {};
	const said: string[] = [];
	for (const name of Object.keys(draft.info.features)) {
		const right = await computed(draft, name);
		if (!right || !differs(stats[name], right, isExact)) continue;
		said.push(`The statistics of ${name} are ${stats[name] ? 'computed anew' : 'added'}.`);
		stats[name] = right;
	}
	if (said.length > 0) draft.stats = stats;
	return said;
}

/** Gives cameras whose statistics are missing or cannot be those of pictures ImageNet's. */
export async function writeCameraStats(draft: Draft): Promise<string[]> {
	if (draft.isOld || draft.dataFiles.length === 0) return [];
	const stats: Stats = draft.stats ?? {};
	const frames = await draft.number('SELECT count(*) FROM frames');
	const said: string[] = [];
	for (const [name, feature] of Object.entries(draft.info.features)) {
		if (feature.dtype !== 'video' && feature.dtype !== 'image') continue;
		if (isDepthMap(feature) || isPlausible(stats[name])) continue;
		const all = (number: number) => [[[number]], [[number]], [[number]]];
		const picture = (numbers: readonly number[]) => numbers.map(number => [[number]]);
		stats[name] = {
			min: all(0),
			max: all(1),
			mean: picture(imagenet.mean),
			std: picture(imagenet.std),
			count: [frames],
		};
		said.push(`${name} gets ImageNet's mean and standard deviation.`);
	}
	if (said.length > 0) draft.stats = stats;
	return said;
}

function isPlausible(stated: Record<string, unknown> | undefined): boolean {
	if (!stated) return false;
	const of = (stat: string) => numbersIn(stated[stat]);
	return (
		['min', 'max', 'mean', 'std'].every(
			stat => of(stat).length === 3 && of(stat).every(number => number >= 0 && number <= 1),
		) && of('std').some((std, channel) => std >= 0.005 || of('max')[channel] === of('min')[channel])
	);
}

/** Writes the statistics of each episode's frames into the columns that the episodes have for them. */
export async function recomputeEpisodeStats(draft: Draft, isExact: boolean): Promise<string[]> {
	if (draft.isOld || draft.dataFiles.length === 0) return [];
	const said: string[] = [];
	const types = await draft.rows<{column_name: string; column_type: string}>('DESCRIBE episodes');
	for (const name of Object.keys(draft.info.features)) {
		const columns = types.filter(
			({column_name, column_type}) =>
				column_name.startsWith(`stats/${name}/`) && /^(DOUBLE|FLOAT|BIGINT)\[\]$/.test(column_type),
		);
		const type = draft.dataFiles[0]?.columns.get(name);
		if (columns.length === 0 || type === undefined || !numeric.test(type)) continue;
		const [first] = (draft.info.features[name]?.shape as number[] | undefined) ?? [1];
		const width = type.endsWith(']') ? (first ?? 1) : 1;
		const dims = Array.from({length: width}, (_, dim) =>
			type.endsWith(']') ? `${quotedIdentifier(name)}[${dim + 1}]` : quotedIdentifier(name),
		);
		const episodes = await draft.rows<Record<string, unknown> & {episode: number}>(
			`SELECT * EXCLUDE (file, place), episode_index AS episode FROM episodes ORDER BY place`,
		);
		const wrong: number[] = [];
		for (const row of episodes) {
			const files = await draft.rows<{file: number}>(
				`SELECT DISTINCT file FROM frames WHERE episode_index = ${row.episode}`,
			);
			const list = files.map(({file}) => quotedString(draft.real(draft.dataFiles[file]?.file ?? '')));
			if (list.length === 0) continue;
			const values = await draft.rows(
				`SELECT ${dims.map((dim, at) => `(${dim})::DOUBLE AS d${at}`).join(', ')} FROM read_parquet([${list.join(', ')}]) WHERE episode_index = (SELECT any_value(b.episode_index) FROM frames a JOIN frames_before b USING (file, "row") WHERE a.episode_index = ${row.episode})`,
			);
			const flat = Float64Array.from(
				values.flatMap(value => dims.map((_, at) => Number(value[`d${at}`] ?? Number.NaN))),
			);
			const right = featureStats(flat, values.length, width) as unknown as Record<string, (number | null)[]>;
			const own = Object.fromEntries(
				columns.map(({column_name}) => [column_name.slice(`stats/${name}/`.length), row[column_name]]),
			);
			const held = Object.fromEntries(Object.entries(right).filter(([stat]) => stat in own));
			if (!differs(own, held, isExact)) continue;
			wrong.push(row.episode);
			const sets = columns.map(({column_name, column_type}) => {
				const numbers = right[column_name.slice(`stats/${name}/`.length)];
				return numbers === undefined
					? ''
					: `${quotedIdentifier(column_name)} = [${numbers.map(number => number ?? 'NULL').join(', ')}]::${column_type}`;
			});
			await draft.run(
				`UPDATE episodes SET ${sets.filter(Boolean).join(', ')} WHERE episode_index = ${row.episode}`,
			);
		}
		if (wrong.length > 0)
			said.push(
				`The statistics of ${name} in ${wrong.length === 1 ? 'an episode' : `${wrong.length} episodes`} are computed anew (${wrong.slice(0, 20).join(', ')}).`,
			);
	}
	return said;
}
