import type {ReportDamage} from './damage.ts';
import type {DatasetFacts} from './dataset-facts.ts';
import type {FrameFacts} from './frame-facts.ts';
import {EpisodesText} from './words.ts';

/** Tasks that are compared with each other. */
const maxCompared = 2000;

/** The texts of the tasks, and which frames and episodes have them. */
export function checkTasks(facts: DatasetFacts, frames: FrameFacts, report: ReportDamage): void {
	const {tasks, tasksFile: file} = facts;
	if (!tasks) {
		if (facts.files.includes(file)) return;
		report({id: 'tasks-missing', file, message: `${file} is missing.`});
		return;
	}
	const text = new Map<number, string | undefined>();
	for (const row of tasks) if (row.index !== undefined) text.set(row.index, row.text);
	const misplaced = tasks.findIndex(({index}, row) => index !== row);
	if (misplaced !== -1 && facts.info.format === 'v3.0') {
		const message = `Row ${misplaced} of ${file} has task_index ${tasks[misplaced]?.index ?? 'of no number'}.`;
		report({id: 'task-order', file, message});
	}
	for (const {index, text: named} of tasks) {
		if (named !== undefined && named.trim() !== '') continue;
		const message = `Task ${index ?? 'without a number'} has no text.`;
		report({id: 'task-null', file, subject: `${index}`, message});
	}
	checkTexts(facts, report);
	checkUse(facts, frames, text, report);
}

function checkTexts({tasks = [], tasksFile: file}: DatasetFacts, report: ReportDamage): void {
	const texts = tasks.flatMap(({index, text}) => (text?.trim() ? [{index, text}] : [])).slice(0, maxCompared);
	for (const [at, one] of texts.entries()) {
		for (const other of texts.slice(at + 1)) {
			if (one.text === other.text) {
				const message = `Tasks ${one.index} and ${other.index} are both ${JSON.stringify(one.text)}.`;
				report({id: 'task-text-twice', file, subject: one.text, message});
				continue;
			}
			const difference = differenceOf(one.text, other.text);
			if (difference === undefined) continue;
			const message = `Tasks ${one.index} and ${other.index}, ${JSON.stringify(one.text)} and ${JSON.stringify(other.text)}, differ by ${difference}.`;
			report({id: 'task-texts-similar', file, subject: other.text, message});
		}
	}
}

const bare = (text: string) =>
	text
		.normalize('NFC')
		.toLowerCase()
		.replace(/[\s.!]+$/, '')
		.trim()
		.replace(/\s+/g, ' ');

/** The difference of two texts if it looks like a slip; undefined if they say different things. */
export function differenceOf(one: string, other: string): string | undefined {
	const [a, b] = [bare(one), bare(other)];
	if (a === b) {
		if (one.replace(/\s/g, '') === other.replace(/\s/g, '')) return 'blanks';
		return one.toLowerCase() === other.toLowerCase() ? 'capital letters' : 'blanks or signs at the end';
	}
	if (a.replaceAll(' ', '') === b.replaceAll(' ', '')) return 'a blank';
	const [wordsOfOne, wordsOfOther] = [a.split(' '), b.split(' ')];
	if (wordsOfOne.length !== wordsOfOther.length) return undefined;
	const pairs = wordsOfOne.flatMap((word, at) => {
		const with_ = wordsOfOther[at] ?? '';
		return word === with_ ? [] : [[word, with_] as const];
	});
	const [pair] = pairs;
	if (pairs.length !== 1 || !pair || !isTypo(...pair)) return undefined;
	return 'a letter, as a typo does';
}

/** True if one word is the other with a letter left out, doubled, changed, or two swapped. Numbers mean what they say. */
function isTypo(one: string, other: string): boolean {
	const [short, long] = one.length <= other.length ? [one, other] : [other, one];
	if (short.length < 3 || long.length < 4 || long.length - short.length > 1 || /\d/.test(one + other))
		return false;
	let start = 0;
	while (start < short.length && short[start] === long[start]) start++;
	let end = 0;
	while (end < short.length - start && short.at(-1 - end) === long.at(-1 - end)) end++;
	const [left, right] = [short.length - start - end, long.length - start - end];
	if (left === 0 && right === 1) return true;
	if (left === 1 && right === 1) return short.length >= 6;
	return left === 2 && right === 2 && short[start] === long[start + 1] && short[start + 1] === long[start];
}

function checkUse(
	{episodes, listedIn, tasksFile}: DatasetFacts,
	frames: FrameFacts,
	text: ReadonlyMap<number, string | undefined>,
	report: ReportDamage,
): void {
	const listed = new Map(episodes.map(row => [row.episode, row]));
	const used = new Set<number>();
	const usedTexts = new Set(episodes.flatMap(({tasks}) => tasks ?? []));
	const unknown = new Map<string, {episodes: Set<number>; tasks: Set<number>}>();
	const differing: number[] = [];
	for (const {file, episode, tasks} of frames.episodes) {
		for (const task of tasks.keys()) {
			used.add(task);
			if (text.has(task)) continue;
			const found = unknown.get(file) ?? {episodes: new Set(), tasks: new Set()};
			unknown.set(file, found);
			found.episodes.add(episode);
			found.tasks.add(task);
		}
		const named = listed.get(episode)?.tasks;
		const ofFrames = [...tasks.keys()].map(task => text.get(task));
		if (named === undefined || ofFrames.some(task => task === undefined)) continue;
		if (
			ofFrames.some(task => !named.includes(task as string)) ||
			named.some(task => !ofFrames.includes(task))
		) {
			differing.push(episode);
		}
	}
	for (const [file, found] of unknown) {
		const at = ascending(found.episodes);
		const numbers = ascending(found.tasks).slice(0, 5).join(', ');
		const message = `${EpisodesText(at)}: frames with task_index ${numbers}, which ${tasksFile} does not have.`;
		report({id: 'task-index-unknown', file, episodes: at, message});
	}
	if (differing.length > 0) {
		const at = ascending(differing);
		const message = `${EpisodesText(at)}: ${listedIn} names other tasks than the frames have.`;
		report({
			id: 'episode-tasks-differ',
			file: listed.get(at[0] ?? -1)?.file ?? listedIn,
			episodes: at,
			message,
		});
	}
	if (!frames.isWhole || frames.episodes.length === 0) return;
	for (const [task, named] of text) {
		if (used.has(task) || (named !== undefined && usedTexts.has(named))) continue;
		const message = `Task ${task}${named === undefined ? '' : `, ${JSON.stringify(named)},`} has no episode.`;
		report({id: 'task-unused', file: tasksFile, subject: named ?? `${task}`, message});
	}
}

const ascending = (numbers: Iterable<number>) => [...new Set(numbers)].sort((a, b) => a - b);
