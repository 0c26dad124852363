import {isDepthMap} from '../depth.ts';
import type {ReadDatabase} from '../read-database.ts';
import {type DamageId, damageKinds, type ReportDamage} from './damage.ts';
import {type DatasetFacts, type StatedStats, statsPath} from './dataset-facts.ts';
import {counters, type FrameFacts} from './frame-facts.ts';
import {
	type DimensionFacts,
	type QuantileName,
	quantileNames,
	readEpisodeQuantiles,
	readQuantiles,
	readValues,
	type ValueFacts,
} from './value-facts.ts';
import {EpisodesText, figure} from './words.ts';

const needed = ['min', 'max', 'mean', 'std', 'count'] as const;
const isCounter = (name: string) => (counters as readonly string[]).includes(name);
/** A part of the range that values which were summed in 32 bits may be off by. */
const tolerance = 1e-4;

/** The statistics of the dataset and of its episodes, compared with the data. */
export async function checkStats(
	database: ReadDatabase,
	facts: DatasetFacts,
	frames: FrameFacts,
	report: ReportDamage,
): Promise<void> {
	const isOld = facts.info.format === 'v2.1';
	const hasOwn = facts.episodes.some(({stats}) => stats.size > 0);
	const isNone = isOld ? !hasOwn : facts.stats === undefined;
	if (isNone) {
		report({
			id: 'stats-missing',
			severity: facts.videos.length > 0 || isOld ? 'training-fails' : 'training-worse',
			file: facts.statsFile,
			message: `${facts.statsFile} is missing.`,
		});
	}
	for (const [name, {dtype}] of Object.entries(facts.info.features)) {
		if (dtype === 'string' || dtype === 'language') continue;
		if (dtype === 'video' || dtype === 'image') {
			checkCamera(facts, name, frames, report);
			continue;
		}
		const values = frames.isWhole ? await readValues(database, facts, frames, name) : undefined;
		if (facts.stats && facts.stats.size > 0)
			await checkWhole(database, facts, frames, {name, values}, report);
		if (hasOwn && values) checkEpisodes(facts, name, values, report);
	}
	if (hasOwn || (isOld && isNone)) checkOwnAreThere(facts, report);
	else if (facts.episodes.length > 0) {
		const message = 'No episode has statistics of its own.';
		report({id: 'episode-stats-missing', file: facts.episodes[0]?.file ?? facts.listedIn, message});
	}
}

/** The problem with the form of a feature's statistics. */
function formOf(stated: StatedStats | undefined, width: number): {id: DamageId; what: string} | undefined {
	if (!stated) return undefined;
	const lost = needed.filter(name => !stated[name]?.length);
	if (lost.length > 0) return {id: 'stats-incomplete', what: `lacks ${lost.join(', ')}`};
	for (const name of ['min', 'max', 'mean', 'std', ...quantileNames]) {
		const values = stated[name];
		if (!values) continue;
		if (values.length !== width)
			return {id: 'stats-width-wrong', what: `has ${values.length} values of ${name}, not ${width}`};
	}
	return undefined;
}

type About = {readonly name: string; readonly values: ValueFacts | undefined};

async function checkWhole(
	database: ReadDatabase,
	facts: DatasetFacts,
	frames: FrameFacts,
	{name, values}: About,
	report: ReportDamage,
): Promise<void> {
	const stated = facts.stats?.get(name);
	const about = {file: statsPath, subject: name};
	if (!stated) {
		if (isCounter(name)) return;
		const message = `${statsPath} has nothing of "${name}".`;
		report({...about, id: 'stats-feature-missing', message});
		return;
	}
	const form = formOf(stated, values?.width ?? (facts.info.features[name]?.shape.at(-1) || 1));
	if (form) {
		report({...about, id: form.id, message: `${statsPath}: "${name}" ${form.what}.`});
		return;
	}
	if (!values) return;
	const count = stated.count?.[0] ?? 0;
	const frameTotal = values.whole[0]?.count ?? 0;
	if (/^action/.test(name) && count > frameTotal * 1.5) {
		const message = `${statsPath}: "${name}" counts ${count} for ${frameTotal} frames, as LeRobot writes it for relative actions; its values were not compared.`;
		report({...about, id: 'stats-count-sampled', message});
		return;
	}
	const wrong = compare(stated, values.whole);
	if (isCounter(name)) {
		const [first] = [wrong.mean, wrong.range, wrong.count].filter(what => what !== undefined);
		if (first) report({...about, id: 'stats-index-stale', message: `${statsPath}: "${name}" has ${first}.`});
		return;
	}
	if (wrong.mean)
		report({...about, id: 'stats-mean-wrong', message: `${statsPath}: "${name}" has ${wrong.mean}.`});
	if (wrong.range)
		report({...about, id: 'stats-range-wrong', message: `${statsPath}: "${name}" has ${wrong.range}.`});
	if (wrong.count)
		report({...about, id: 'stats-count-wrong', message: `${statsPath}: "${name}" has ${wrong.count}.`});
	await checkQuantiles(database, facts, frames, {name, values}, report);
}

type Differences = {
	readonly mean: string | undefined;
	readonly range: string | undefined;
	readonly count: string | undefined;
};

function compare(stated: StatedStats, dims: readonly DimensionFacts[]): Differences {
	let mean: string | undefined;
	let range: string | undefined;
	for (const [dim, real] of dims.entries()) {
		if (real.count === 0) continue;
		const size = Math.max(Math.abs(real.min), Math.abs(real.max));
		const allowed = (real.max - real.min) * tolerance + size * 2e-6 + 1e-9;
		const off = (key: 'min' | 'max' | 'mean' | 'std') => {
			const said = stated[key]?.[dim];
			if (said !== null && said !== undefined && Math.abs(said - real[key]) <= allowed) return undefined;
			const at = dims.length > 1 ? ` in dimension ${dim}` : '';
			return `${key} ${said === null || said === undefined ? 'of no number' : figure(said)}${at}, and the data ${figure(real[key])}`;
		};
		mean ??= off('mean') ?? off('std');
		range ??= off('min') ?? off('max');
	}
	const frames = dims[0]?.count;
	const said = stated.count?.[0];
	return {mean, range, count: said === frames ? undefined : `count ${said}, and the data ${frames} frames`};
}

/** Checks that the stated quantiles are the data's, or those that LeRobot folds from those of the episodes. */
async function checkQuantiles(
	database: ReadDatabase,
	facts: DatasetFacts,
	frames: FrameFacts,
	{name, values}: {name: string; values: ValueFacts},
	report: ReportDamage,
): Promise<void> {
	const stated = facts.stats?.get(name) ?? {};
	const about = {file: statsPath, subject: name};
	const lost = quantileNames.filter(key => !stated[key]);
	if (lost.length > 0) {
		const message = `${statsPath}: "${name}" lacks ${lost.join(', ')}.`;
		report({...about, id: 'stats-quantiles-missing', message});
	}
	const bounds = await readQuantiles(database, facts, frames, name);
	if (!bounds) return;
	let folded: string | undefined;
	for (const key of quantileNames) {
		for (const [dim, real] of values.whole.entries()) {
			const said = stated[key]?.[dim];
			if (said === undefined || said === null || real.count === 0) continue;
			const [low, high] = bounds[key][dim] ?? [Number.NaN, Number.NaN];
			const allowed =
				(real.max - real.min) * 1e-3 + Math.max(Math.abs(real.min), Math.abs(real.max)) * 2e-6 + 1e-9;
			if (said >= low - allowed && said <= high + allowed) continue;
			const at = values.width > 1 ? ` in dimension ${dim}` : '';
			const what = `${key} ${figure(said)}${at}, and the data ${figure((low + high) / 2)}`;
			const own = statedQuantiles(facts, name, key, dim);
			// Files of episodes may have lost theirs; LeRobot's own are from histograms, so they are near.
			const near = (real.max - real.min) * 0.02;
			const isByRule =
				isFolded(own, key, said, allowed) ||
				isFolded(await readEpisodeQuantiles(database, facts, frames, {name, key, dim}), key, said, near);
			if (isByRule) {
				folded ??= what;
				continue;
			}
			report({...about, id: 'stats-quantiles-wrong', message: `${statsPath}: "${name}" has ${what}.`});
			return;
		}
	}
	if (folded === undefined) return;
	report({
		...about,
		id: 'stats-quantiles-inexact',
		message: `${statsPath}: "${name}" has ${folded}, by LeRobot's rule.`,
	});
}

type Part = {readonly value: number; readonly count: number};

/** The episodes' own values of a quantile. */
function statedQuantiles({episodes}: DatasetFacts, name: string, key: QuantileName, dim: number): Part[] {
	return episodes.flatMap(({stats}) => {
		const own = stats.get(name);
		const value = own?.[key]?.[dim];
		const count = own?.count?.[0];
		return typeof value === 'number' && typeof count === 'number' ? [{value, count}] : [];
	});
}

/** By one of LeRobot's rules: the mean of the episodes' quantiles by their counts, or the outermost of them. */
function isFolded(parts: readonly Part[], key: QuantileName, said: number, allowed: number): boolean {
	if (parts.length === 0) return false;
	const weight = parts.reduce((sum, {count}) => sum + count, 0);
	const mean = parts.reduce((sum, {value, count}) => sum + value * count, 0) / weight;
	const values = parts.map(({value}) => value);
	const isUpper = key === 'q90' || key === 'q99';
	const outermost = values.reduce((one, other) => (isUpper ? Math.max(one, other) : Math.min(one, other)));
	return [mean, outermost].some(value => Math.abs(said - value) <= allowed);
}

/** The statistics of the episodes themselves. */
function checkEpisodes(facts: DatasetFacts, name: string, values: ValueFacts, report: ReportDamage): void {
	const wrong: number[] = [];
	let first: string | undefined;
	for (const {episode, stats} of facts.episodes) {
		const stated = stats.get(name);
		const dims = values.episodes.get(episode);
		if (!stated || !dims) continue;
		const form = formOf(stated, values.width);
		const {mean, range, count} = form
			? {mean: form.what, range: undefined, count: undefined}
			: compare(stated, dims);
		const what = mean ?? range ?? (/^action/.test(name) ? undefined : count);
		if (what === undefined) continue;
		wrong.push(episode);
		first ??= form ? what : `has ${what}`;
	}
	if (first === undefined) return;
	wrong.sort((a, b) => a - b);
	const file = facts.info.format === 'v2.1' ? facts.statsFile : (facts.episodes[0]?.file ?? facts.listedIn);
	const message = `${EpisodesText(wrong)}: the statistics of "${name}": the first ${first}.`;
	report({
		id: 'episode-stats-wrong',
		severity: isCounter(name) ? 'cosmetic' : damageKinds['episode-stats-wrong'].severity,
		file,
		episodes: wrong,
		subject: name,
		message,
	});
}

function checkOwnAreThere(facts: DatasetFacts, report: ReportDamage): void {
	const {episodes, info} = facts;
	const isOld = info.format === 'v2.1';
	for (const [name, {dtype}] of Object.entries(info.features)) {
		const isCamera = dtype === 'video' || dtype === 'image';
		if (dtype === 'string' || dtype === 'language' || isCounter(name) || (isOld && isCamera)) continue;
		// LeRobot folds none of another width, and neither does compose: they count as missing.
		const misshapen = isCamera ? misshapenOwn(facts, name) : undefined;
		const lacking = episodes.filter(({stats}) => !stats.has(name)).map(({episode}) => episode);
		const without = [...lacking, ...(misshapen?.episodes ?? [])];
		if (without.length === 0) continue;
		const message = misshapen
			? `${EpisodesText(misshapen.episodes)}: camera "${name}" ${misshapen.what} in the statistics of their own, which count as missing.`
			: `${EpisodesText(without)}: no statistics of "${name}" of their own.`;
		const file = isOld ? facts.statsFile : (episodes[0]?.file ?? facts.listedIn);
		report({
			id: 'episode-stats-missing',
			file,
			episodes: without.sort((a, b) => a - b),
			subject: name,
			message,
		});
	}
}

/** The values that a camera's statistics have. */
function channelsOf({info}: DatasetFacts, camera: string, stated: StatedStats): number {
	const isGray = (['min', 'max', 'mean', 'std'] as const).every(key => (stated[key]?.length ?? 1) === 1);
	return isDepthMap(info.features[camera]) || isGray ? 1 : 3;
}

/** The episodes whose own statistics of a camera are not of its form. */
function misshapenOwn(facts: DatasetFacts, camera: string): {episodes: number[]; what: string} | undefined {
	const found = facts.episodes.flatMap(({episode, stats}) => {
		const stated = stats.get(camera);
		const form = stated && formOf(stated, channelsOf(facts, camera, stated));
		return form ? [{episode, what: form.what}] : [];
	});
	const [first] = found;
	return first && {episodes: found.map(({episode}) => episode), what: first.what};
}

/** A camera: what can be said without its pictures. */
function checkCamera(facts: DatasetFacts, name: string, frames: FrameFacts, report: ReportDamage): void {
	const isOld = facts.info.format === 'v2.1';
	const about = {file: facts.statsFile, subject: name};
	const own = facts.episodes.map(({stats}) => stats.get(name)).filter(stated => stated !== undefined);
	const all = isOld ? own : [facts.stats?.get(name)].filter(stated => stated !== undefined);
	if (
		isOld
			? own.length < facts.episodes.length && facts.episodes.some(({stats}) => stats.size > 0)
			: all.length === 0
	) {
		if (!isOld && !facts.stats?.size) return;
		report({
			...about,
			id: 'stats-camera-missing',
			message: `${facts.statsFile} has nothing of camera "${name}".`,
		});
		if (all.length === 0) return;
	}
	const isDepth = isDepthMap(facts.info.features[name]);
	for (const stated of all) {
		const form = formOf(stated, channelsOf(facts, name, stated));
		if (form) {
			report({...about, id: form.id, message: `${facts.statsFile}: camera "${name}" ${form.what}.`});
			return;
		}
		const bad =
			!isDepth &&
			(['min', 'max', 'mean', 'std'] as const).find(key =>
				(stated[key] ?? []).some(value => value === null || value < -1e-3 || value > 1.001),
			);
		const isDark =
			!isDepth &&
			(stated.std ?? []).every((value, at) => (value ?? 0) < 0.02 && (stated.mean?.[at] ?? 1) < 0.02);
		if (bad || isDark) {
			const what = bad
				? `${bad} of ${stated[bad]?.map(value => (value === null ? 'no number' : figure(value))).join(', ')}`
				: 'a std near 0 with a mean near 0';
			report({
				...about,
				id: 'stats-camera-implausible',
				message: `${facts.statsFile}: camera "${name}" has ${what}.`,
			});
			return;
		}
	}
	const counted = all.reduce((sum, stated) => sum + (stated.count?.[0] ?? 0), 0);
	if (all.length === 0 || counted === frames.totalRows || !frames.isWhole) return;
	const message = `${facts.statsFile}: camera "${name}" counts ${counted} for ${frames.totalRows} frames.`;
	report({...about, id: 'stats-count-sampled', message});
}
