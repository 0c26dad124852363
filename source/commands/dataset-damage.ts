import type {IngestProblem} from '../contract/local.ts';
import {severityWords} from '../contract/local-repair.ts';
import type {FoundDamage} from '../service/front-door.ts';
import {counted} from '../terminal/quantity.ts';
import type {DatasetCheck} from './dataset-check.ts';
import {problemLine} from './print/table.ts';

type Severity = FoundDamage['severity'];

/** Messages of one kind that are shown; `--json` has all. */
const mostLines = 3;

/** The sentences of an ingest about the same damage, by their words. */
const ingestWords: Readonly<Partial<Record<FoundDamage['id'], RegExp>>> = {
	'info-unreadable': /./,
	'parquet-without-footer': /./,
	'parquet-unreadable': /./,
	'total-episodes-wrong': /total_episodes|counts \d+ episode/,
	'total-frames-wrong': /total_frames|counts \d+ frame/,
	'tasks-missing': /missing/,
	'task-null': /task/,
	'episodes-missing': /./,
	'episode-listed-twice': /again/,
	'episode-length-wrong': /frames/,
	'episode-without-frames': /frames|missing/,
	'timestamps-drift': /timestamp/,
	'timestamps-shifted': /timestamp/,
	'timestamps-uneven': /timestamp/,
	'frame-index-wrong': /frame_index/,
	'values-not-finite': /finite|NaN|null|missing/,
	'video-span-length': /video/,
	'progress-wrong': /rows/,
};

/** The damage that a problem of the ingest is about; undefined where nothing else says it. */
export function damageOf(problem: IngestProblem, damages: readonly FoundDamage[]): FoundDamage | undefined {
	if (problem.prevents_training) return damages.find(({id}) => id === 'video-missing');
	const {file, episode_index: episode, message} = problem;
	return damages.find(
		damage =>
			(damage.file === file || (damage.episodes.length > 0 && typeof episode === 'number')) &&
			(typeof episode !== 'number' || damage.episodes.length === 0 || damage.episodes.includes(episode)) &&
			ingestWords[damage.id]?.test(message),
	);
}

/** Why a training would fail, a sentence each and none of them twice. */
export function trainingFailures({untrainable}: DatasetCheck, damages: readonly FoundDamage[]): string[] {
	const fatal = damages.filter(({severity}) => severity === 'training-fails');
	// The ingest names missing videos as well, and what lies there instead.
	const others = untrainable.length > 0 ? fatal.filter(({id}) => id !== 'video-missing') : fatal;
	return [...untrainable, ...others.map(({message}) => message)];
}

/** The damages by kind, the worst first; kinds that LeRobot writes itself in a line. */
export function damageLines({problems}: DatasetCheck, damages: readonly FoundDamage[]): string[] {
	const kinds = new Map<string, FoundDamage[]>();
	for (const damage of damages) {
		const key = `${damage.severity} ${damage.id}`;
		const others = kinds.get(key);
		if (others) others.push(damage);
		else kinds.set(key, [damage]);
	}
	const lines: string[] = [];
	let under: Severity | undefined;
	for (const of of kinds.values()) {
		const [first] = of;
		if (!first) continue;
		if (first.severity !== under) lines.push(`  ${severityWords[first.severity]}:`);
		under = first.severity;
		const times = of.length > 1 ? ` (${of.length})` : '';
		lines.push(`    ${first.id}${times}: ${first.title}.`);
		const said = first.id === 'video-missing' ? missingVideos(problems) : [];
		const messages = said.length > 0 ? said : of.map(messageOf);
		const shown = first.severity === 'lerobot-rule' ? 1 : mostLines;
		lines.push(...messages.slice(0, shown).map(message => `      ${message}`));
		const more = messages.length - shown;
		if (more > 0) lines.push(`      and ${counted(more, 'more')}`.replace(/s$/, ''));
		if (first.severity === 'lerobot-rule') continue;
		lines.push(`      LeRobot: ${first.lerobot}`);
		lines.push(`      ${first.repair === null ? 'No repair.' : `Repair: ${first.repair}`}`);
	}
	return lines;
}

/** The sentence of a finding, with its moment if the sentence does not have it. */
function messageOf({message, seconds}: FoundDamage): string {
	if (seconds === undefined || / s\b/.test(message)) return message;
	return message.replace(/\.$/, `, at ${Number(seconds.toFixed(3))} s.`);
}

/** Missing videos in the ingest's words, which say what lies there instead. */
const missingVideos = (problems: readonly IngestProblem[]) =>
	problems.filter(({prevents_training}) => prevents_training).map(problem => problemLine(problem).trim());
