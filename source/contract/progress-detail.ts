import type {SampleStatus} from './local.ts';

/**
 * Section 2.8: `progress_json` is "live step detail", and what it holds is not shown. It is read by shape: how much is
 * done of what, in any usual spelling.
 */
export type ProgressDetail = {
	/** The current step, in the service's words. */
	readonly step: string | undefined;
	/** Both or none of them; `done` is at most `total`, which is above 0. */
	readonly done: number | undefined;
	readonly total: number | undefined;
	/** The unit of the counts, if known. */
	readonly unit: string | undefined;
	/** The text as it came. */
	readonly text: string;
};

type Fields = Readonly<Record<string, unknown>>;

const doneWords = /^(?:done|completed?|processed|current|finished|ingested|position|value|n)$/;
const totalWords = /^(?:total|of|max|expected|count)$/;
const partWords = /^(?:progress|fraction|ratio)$/;
const percentWords = /^(?:percent|percentage|pct)$/;
const stepWords = ['step', 'stage', 'phase', 'task', 'message', 'detail', 'description', 'status'] as const;

/** More of it is not looked through. */
const maxChars = 65_536;

const wordsOf = (name: string) =>
	name
		.replace(/([a-z])([A-Z])/g, '$1_$2')
		.toLowerCase()
		.split(/[^a-z0-9]+/);

function numberOf(value: unknown): number | undefined {
	const number = typeof value === 'string' && /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : value;
	return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : undefined;
}

/** A number under a name that holds such a word, and the name's other word: `episodes_done` counts episodes. */
function counted(fields: Fields, word: RegExp): {value: number; unit: string | undefined} | undefined {
	for (const [name, value] of Object.entries(fields)) {
		const words = wordsOf(name);
		const number = numberOf(value);
		if (number === undefined || words.length > 2 || !words.some(each => word.test(each))) continue;
		return {value: number, unit: words.find(each => !word.test(each))};
	}
	return undefined;
}

function fractionOf(fields: Fields): {done: number; total: number; unit: string | undefined} | undefined {
	const percent = counted(fields, percentWords);
	if (percent) return {done: percent.value, total: 100, unit: '%'};
	const part = counted(fields, partWords);
	return part && part.value <= 1 ? {done: Math.round(part.value * 100), total: 100, unit: '%'} : undefined;
}

function countsOf(fields: Fields): Pick<ProgressDetail, 'done' | 'total' | 'unit'> | undefined {
	const done = counted(fields, doneWords);
	const total = counted(fields, totalWords);
	const found =
		done && total
			? {done: done.value, total: total.value, unit: done.unit ?? total.unit}
			: fractionOf(fields);
	if (!found || found.total <= 0) return undefined;
	const unit = typeof fields.unit === 'string' ? fields.unit : found.unit;
	return {...found, done: Math.min(found.done, found.total), unit};
}

/** `12/40 episodes`, `12 of 40`. */
function countsIn(text: string): Pick<ProgressDetail, 'done' | 'total' | 'unit'> | undefined {
	const [, done, total, unit] = /\b(\d{1,15})\s*(?:\/|of)\s*(\d{1,15})(?:\s+([\p{L}]+))?/u.exec(text) ?? [];
	if (done === undefined || total === undefined || Number(total) === 0) return undefined;
	return {done: Math.min(Number(done), Number(total)), total: Number(total), unit};
}

const isFields = (value: unknown): value is Fields =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

const nothing = {done: undefined, total: undefined, unit: undefined};

/** Reads the live step detail of a re-ingest; undefined where there is none. Never fails. */
export function readProgressDetail(text: string | null | undefined): ProgressDetail | undefined {
	if (!text?.trim()) return undefined;
	const value = parsed(text.slice(0, maxChars));
	if (!isFields(value)) {
		const words = typeof value === 'string' ? value : text;
		return {step: words, ...(countsIn(words) ?? nothing), text};
	}
	// The details may lie one object further in.
	const layers = [value, ...Object.values(value).filter(isFields)];
	const counts = layers.map(countsOf).find(each => each !== undefined);
	const step = layers
		.flatMap(layer => stepWords.map(name => layer[name]))
		.find((each): each is string => typeof each === 'string' && each !== '');
	return {step, ...(counts ?? (step === undefined ? undefined : countsIn(step)) ?? nothing), text};
}

/** How much of the sample is done: in episodes where its service counts them, else in datasets. */
export function sampleProgress({
	progress,
	datasets_done: done,
	datasets_total: total,
}: SampleStatus): Pick<ProgressDetail, 'done' | 'total' | 'unit'> {
	return progress ?? {done, total, unit: 'datasets'};
}
