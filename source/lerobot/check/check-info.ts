import {layoutFeatures} from '../features.ts';
import {infoPath} from '../layout.ts';
import type {ReportDamage} from './damage.ts';
import type {DatasetFacts} from './dataset-facts.ts';
import type {FrameFacts} from './frame-facts.ts';

/** Compares `meta/info.json` with the dataset. */
export function checkInfo(facts: DatasetFacts, frames: FrameFacts, report: ReportDamage): void {
	checkVersion(facts, report);
	checkTotals(facts, frames, report);
	checkSplits(facts, report);
	checkColumns(facts, frames, report);
	checkNames(facts, report);
}

function checkVersion({info, files}: DatasetFacts, report: ReportDamage): void {
	const older = files.find(file => /^data\/chunk-\d+\/episode_\d+\.parquet$/.test(file));
	const newer = files.find(file => /^data\/chunk-\d+\/file-\d+\.parquet$/.test(file));
	const other = info.format === 'v2.1' ? newer : older;
	if (other === undefined || (older !== undefined && newer !== undefined)) return;
	const kind = info.format === 'v2.1' ? 'v3.0' : 'v2.1';
	const message = `${infoPath} says ${info.codebase_version}, and ${other} is a file of ${kind}.`;
	report({id: 'version-mixed', file: infoPath, message});
}

function checkTotals({info, episodes, tasks}: DatasetFacts, frames: FrameFacts, report: ReportDamage): void {
	const numbers = new Set(episodes.map(({episode}) => episode));
	const wrong = (
		id: 'total-episodes-wrong' | 'total-frames-wrong' | 'total-tasks-wrong',
		key: string,
		there: number,
	) => {
		const said = (info as Record<string, unknown>)[key];
		if (said === there || there === 0) return;
		const message = `${infoPath} says ${key} ${said === undefined ? 'nowhere' : said}, and there are ${there}.`;
		report({id, file: infoPath, message});
	};
	wrong('total-episodes-wrong', 'total_episodes', numbers.size);
	if (frames.isWhole) wrong('total-frames-wrong', 'total_frames', frames.totalRows);
	if (tasks) wrong('total-tasks-wrong', 'total_tasks', tasks.length);
}

/** Splits are spans of episodes, as `0:12`. */
function checkSplits({info, episodes}: DatasetFacts, report: ReportDamage): void {
	const {splits} = info as {splits?: unknown};
	const there = new Set(episodes.map(({episode}) => episode)).size;
	if (splits === undefined || splits === null || episodes.length === 0) return;
	const complain = (what: string) =>
		report({id: 'splits-wrong', file: infoPath, message: `splits in ${infoPath} ${what}.`});
	if (typeof splits !== 'object') {
		complain('is not an object');
		return;
	}
	const covered = new Set<number>();
	for (const [name, span] of Object.entries(splits)) {
		const [, from, to] = /^(\d+):(\d+)$/.exec(String(span)) ?? [];
		// Spans in another form are the author's own.
		if (from === undefined || to === undefined) return;
		if (Number(to) > there) {
			complain(`gives ${name} the span ${span}, and there are ${there} episodes`);
			return;
		}
		for (let episode = Number(from); episode < Number(to); episode++) covered.add(episode);
	}
	if (covered.size < there) {
		complain(`covers ${covered.size} of ${there} episodes`);
	}
}

const isPicture = (dtype: string) => dtype === 'video' || dtype === 'image';

/** The length of a list of fixed length, as DuckDB spells its type. */
const fixedLength = (type: string) => /\[(\d+)\]$/.exec(type)?.[1];

function checkColumns({info}: DatasetFacts, {files}: FrameFacts, report: ReportDamage): void {
	if (files.length === 0) return;
	const declared = Object.entries(info.features).filter(([, {dtype}]) => dtype !== 'video');
	const columnless = new Map<string, string[]>();
	for (const [name] of declared) {
		const without = files.filter(({columns}) => !columns.has(name)).map(({file}) => file);
		if (without.length > 0) columnless.set(name, without);
	}
	for (const [subject, without] of columnless) {
		const where = without.length === files.length ? 'the data has' : `${without.length} data files have`;
		const message = `Feature "${subject}" is declared, and ${where} no such column.`;
		report({id: 'feature-column-missing', file: without[0] ?? infoPath, subject, message});
	}
	const undeclared = new Map<string, string>();
	for (const {file, columns} of files) {
		for (const name of columns.keys()) {
			if (!(name in info.features) && !undeclared.has(name)) undeclared.set(name, file);
		}
	}
	for (const [subject, file] of undeclared) {
		const message = `The data has a column "${subject}" that ${infoPath} does not declare.`;
		report({id: 'column-undeclared', file, subject, message});
	}
	for (const [subject, {shape, dtype}] of declared) {
		if (isPicture(dtype) || dtype === 'language' || dtype === 'string') continue;
		for (const {file, columns} of files) {
			const type = columns.get(subject);
			if (type === undefined) continue;
			const width = fixedLength(type);
			const isList = type.endsWith(']');
			const wanted = shape.length === 1 ? (shape[0] ?? 1) : undefined;
			const isOther =
				(isList && shape.length === 0) ||
				(!isList && wanted !== undefined && wanted !== 1) ||
				(width !== undefined && wanted !== undefined && Number(width) !== wanted);
			if (!isOther) continue;
			const has = isList ? `lists of ${width ?? 'numbers'}` : 'single values';
			const message = `Feature "${subject}" is declared as [${shape.join(', ')}], and its column has ${has}.`;
			report({id: 'feature-shape-differs', file, subject, message});
			break;
		}
	}
}

function checkNames({info}: DatasetFacts, report: ReportDamage): void {
	for (const [subject, feature] of Object.entries(info.features)) {
		if (isPicture(feature.dtype)) {
			if (Array.isArray(feature.names) && feature.names.length === 3) continue;
			const message = `Camera "${subject}" has ${feature.names ? 'other names than three' : 'no names'} for height, width and channels.`;
			report({id: 'camera-names-missing', file: infoPath, subject, message});
		}
	}
	const {action, state, telemetry} = layoutFeatures(info.features);
	for (const feature of [action, state, ...telemetry]) {
		const declared = info.features[feature?.key ?? ''];
		if (!feature || !declared) continue;
		const names = namesIn(declared.names);
		if (names === undefined || names.length === feature.dims) continue;
		const message = `Feature "${feature.key}" has ${feature.dims} dimensions and ${names.length} names.`;
		report({id: 'feature-names-count', file: infoPath, subject: feature.key, message});
	}
}

/** Names in any of the forms that occur; undefined where there are none. */
function namesIn(names: unknown): string[] | undefined {
	if (typeof names === 'string') return [names];
	if (Array.isArray(names)) return names.flatMap(name => namesIn(name) ?? []);
	if (typeof names === 'object' && names !== null) {
		const values = Object.values(names);
		// Names by their number, as some converters write them.
		if (values.every(value => typeof value === 'number')) return Object.keys(names);
		return values.flatMap(value => namesIn(value) ?? []);
	}
	return undefined;
}
