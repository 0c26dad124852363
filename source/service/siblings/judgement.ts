import {suspectTag} from '../../contract/local-explore.ts';
import {compareProfiles} from '../../motion/comparison.ts';
import type {GroupTemplate} from '../../motion/courses.ts';
import type {DeviationKind, Deviations, DeviationsByKind} from '../../motion/deviations.ts';
import {type ComparedProfile, type Profile, pairChannels} from '../../motion/profile.ts';
import type {Scales} from '../../motion/scales.ts';
import {findDoubles} from './duplicates.ts';
import {type ComparedChannel, type ComparedNames, type Finding, findingOf} from './findings.ts';
import {mistypedTasks} from './labels.ts';
import {oddnessOf, suspectFrom} from './oddness.ts';
import {ownFaults} from './own-faults.ts';
import type {ComparedEpisode, Thresholds} from './traits.ts';
import {channelList} from './words.ts';

/** The comparison of an episode with its siblings. */
export type Judgement = {
	/** The worst first; those of a broken episode are its faults alone. */
	readonly findings: readonly Finding[];
	readonly reasons: readonly string[];
	/** The channels that the findings are about, in their order. */
	readonly channels: readonly ComparedChannel[];
	readonly tags: readonly string[];
	/**
	 * How unlike its siblings it is, in thresholds; from 1 on it is suspect. 100 for a broken episode; null where it has too
	 * few siblings and nothing is wrong that needs none.
	 */
	readonly doubt: number | null;
	/** The second of the episode that most of what is odd lies about; null where it is all of it. */
	readonly moment: number | null;
	/** The number of siblings it was compared with. */
	readonly siblings: number;
};

/** The doubt of an episode that is broken, independently of its siblings. */
const brokenDoubt = 100;

/** The highest doubt of what is not broken. */
const mostDoubt = 20;

/** Findings that are told of an episode, and from which share of the threshold on. */
const mostFindings = 8;
const leastFinding = 0.7;

/** A fault that so many of a group share is the dataset's. */
const mostOfGroup = 0.3;

/**
 * A larger group is judged in parts of about this many, in the order of recording, as soon as there are twice as many:
 * memory stays bounded, and those recorded at one time are the nearest siblings.
 */
const mostSiblings = 2000;

/** The verdict on an episode, before it is worded. */
type Verdict = {odd: number; findings: Finding[]; moment: number | null; isTold: boolean};

/**
 * Judges the episodes of a dataset, each against those of its task. Other datasets of the embodiment are not considered,
 * because pose and calibration are those of a session.
 *
 * @returns one judgement an episode, in their order
 */
export function judge(
	episodes: readonly ComparedEpisode[],
	names: ComparedNames,
	thresholds: Thresholds,
	parts: number,
): Judgement[] {
	const judging = new Judging(names, thresholds, parts);
	for (const episode of episodes) judging.add(episode);
	return judging.finish();
}

/** Judges episodes as they come, and lets go of their profiles where a group is large. */
export class Judging {
	readonly #names: ComparedNames;
	readonly #thresholds: Thresholds;
	readonly #parts: number;
	readonly #episodes: ComparedEpisode[] = [];
	readonly #verdicts: (Verdict | undefined)[] = [];
	/** The places of those that are not judged yet, by task. */
	readonly #waiting = new Map<string | null, number[]>();
	readonly #templates = new Map<string | null, GroupTemplate>();

	constructor(names: ComparedNames, thresholds: Thresholds, parts: number) {
		this.#names = names;
		this.#thresholds = thresholds;
		this.#parts = parts;
	}

	/** All that were added, in their order; of some the profile is let go of. */
	get episodes(): readonly ComparedEpisode[] {
		return this.#episodes;
	}

	add(episode: ComparedEpisode): void {
		const at = this.#episodes.push(episode) - 1;
		if (episode.faults.length > 0) return;
		const waiting = this.#waiting.get(episode.task) ?? [];
		this.#waiting.set(episode.task, waiting);
		waiting.push(at);
		if (waiting.length >= 2 * mostSiblings) this.#judge(episode.task, waiting.splice(0, mostSiblings));
	}

	finish(): Judgement[] {
		const meant = mistypedTasks(countsOf(this.#episodes));
		const groups = Map.groupBy(this.#waiting, ([task]) => meantTask(task, meant));
		for (const [task, waiting] of groups) {
			const places = waiting.flatMap(([, each]) => each).sort((a, b) => a - b);
			if (places.length > 0) this.#judge(task, places);
		}
		addDoubles(this.#episodes, this.#verdicts);
		addMistyped(this.#episodes, meant, this.#verdicts);
		addLabels(this.#episodes, meant, this.#templates, this.#verdicts);
		const counts = new Map<string | null, number>();
		for (const {task, faults} of this.#episodes) {
			if (faults.length === 0)
				counts.set(meantTask(task, meant), (counts.get(meantTask(task, meant)) ?? 0) + 1);
		}
		return this.#episodes.map(({faults, task}, at) => {
			const siblings = (counts.get(meantTask(task, meant)) ?? 0) - (faults.length === 0 ? 1 : 0);
			const verdict = this.#verdicts[at];
			return verdict ? judgementOf(verdict, siblings) : broken(faults, siblings);
		});
	}

	#judge(task: string | null, places: readonly number[]): void {
		const group = places.map(at => this.#episodes[at] as ComparedEpisode);
		const {verdicts, template} = judgeGroup(group, this.#names, this.#thresholds, this.#parts);
		for (const [place, at] of places.entries()) {
			const verdict = verdicts[place] as Verdict;
			this.#verdicts[at] = verdict;
			// Those that are odd may be another task's.
			if (verdict.odd < suspectFrom)
				this.#episodes[at] = {...(group[place] as ComparedEpisode), profile: null};
		}
		if (template && !this.#templates.has(task)) this.#templates.set(task, template);
	}
}

function meantTask(task: string | null, meant: ReadonlyMap<string, string>): string | null {
	return task === null ? null : (meant.get(task) ?? task);
}

function countsOf(episodes: readonly ComparedEpisode[]): Map<string, number> {
	const counts = new Map<string, number>();
	for (const {task} of episodes) if (task !== null) counts.set(task, (counts.get(task) ?? 0) + 1);
	return counts;
}

function broken(faults: readonly string[], siblings: number): Judgement {
	const findings = faults.map(
		(reason): Finding => ({...unplaced, tag: 'broken', reason, doubt: brokenDoubt * suspectFrom}),
	);
	return {
		findings,
		reasons: faults,
		channels: [],
		tags: [suspectTag, 'broken'],
		doubt: brokenDoubt,
		moment: null,
		siblings,
	};
}

/** The rest of a finding that is about the whole episode and needed no siblings. */
const unplaced = {channels: [], from: null, until: null, size: null, beyond: null} satisfies Partial<Finding>;

function judgementOf({odd, findings, moment, isTold}: Verdict, siblings: number): Judgement {
	findings.sort((a, b) => b.doubt - a.doubt);
	const doubt = Math.min(mostDoubt, Math.max(odd, findings[0]?.doubt ?? 0) / suspectFrom);
	const isSuspect = findings.length > 0 && doubt >= 1;
	const said = isSuspect ? findings : [];
	return {
		findings: said,
		reasons: said.map(({reason}) => reason),
		channels: said.flatMap(({channels}) => channels),
		tags: isSuspect ? [...new Set([suspectTag, ...said.map(({tag}) => tag)])] : [],
		doubt: isTold || isSuspect ? Math.round(doubt * 100) / 100 : null,
		moment: isSuspect ? moment : null,
		siblings,
	};
}

/** Judges episodes of one task and one embodiment, each against the others. */
function judgeGroup(
	group: readonly ComparedEpisode[],
	names: ComparedNames,
	thresholds: Thresholds,
	parts: number,
): {readonly verdicts: Verdict[]; readonly template: GroupTemplate | undefined} {
	const pairs = pairChannels(names.action, names.poses);
	const isTold = group.length > thresholds.siblings;
	const verdicts = group.map(
		(episode): Verdict => ({
			odd: 0,
			findings: ownFaults(episode, pairs, names),
			moment: null,
			isTold,
		}),
	);
	leaveShared(verdicts);
	if (!isTold) return {verdicts, template: undefined};
	const profiles = group.map(comparedProfile);
	const {deviations, template, scales} = compareProfiles(profiles, pairs, parts);
	const {byKind, whole} = oddnessOf(
		deviations,
		profiles.map(({whole: {seconds}}) => seconds),
		thresholds,
	);
	addFrozen(group, names, scales.action, verdicts);
	for (const [at, verdict] of verdicts.entries()) {
		verdict.odd = whole[at] as number;
		if (verdict.odd < suspectFrom) continue;
		const ranked = [...byKind]
			.map(([kind, odd]) => ({kind, odd: odd[at] as number}))
			.sort((a, b) => b.odd - a.odd)
			.filter(({odd}, place) => place === 0 || odd >= leastFinding * suspectFrom);
		verdict.moment = momentOf(at, deviations, byKind, group[at]?.metrics.duration_s ?? 0);
		const told = new Map<string, Finding>();
		const differs = (kind: DeviationKind) => {
			const {value, usual} = deviations.get(kind) as Deviations;
			return Math.abs((value[at] as number) - (usual[at] as number));
		};
		const leading = ranked[0]?.kind ?? 'course';
		for (const {kind, odd} of ranked) {
			const finding = findingOf(
				{group, at, names, kind, deviations: deviations.get(kind) as Deviations},
				odd,
			);
			const before = told.get(finding.tag);
			const explains =
				kind === 'offset' &&
				differs(kind) > offsetShare * differs(gapKinds.find(each => each === leading) ?? 'gap');
			if (before ? explains || isPlainer(kind, finding, before) : told.size < mostFindings)
				told.set(finding.tag, {...finding, doubt: before?.doubt ?? odd});
		}
		const own = new Set(verdict.findings.map(({tag}) => tag));
		verdict.findings.push(...[...told.values()].filter(({tag}) => !own.has(tag)));
	}
	return {verdicts, template};
}

/** Deviations of less than this oddness have no say in where it is. */
const leastSay = 1.5;

/** Those within this share of the episode are about one moment. */
const oneMoment = 0.06;

/** Where most of what is odd lies, each by the cube of its oddness. */
function momentOf(
	at: number,
	deviations: DeviationsByKind,
	byKind: ReadonlyMap<DeviationKind, Float64Array>,
	seconds: number,
): number | null {
	const places = [...deviations].flatMap(([kind, {from, until}]) => {
		const middle = ((from[at] as number) + (until[at] as number)) / 2;
		const odd = byKind.get(kind)?.[at] ?? 0;
		return Number.isFinite(middle) && odd >= leastSay ? [{middle, weight: odd ** 3}] : [];
	});
	let best: {middle: number; sum: number} | undefined;
	for (const {middle, weight: own} of places) {
		let sum = own / 1000;
		for (const other of places) if (Math.abs(other.middle - middle) <= oneMoment) sum += other.weight;
		if (sum > (best?.sum ?? 0)) best = {middle, sum};
	}
	return best ? Math.round(Math.min(1, Math.max(0, best.middle)) * seconds * 100) / 100 : null;
}

/** Kinds that are told in place of another of their tag that is odder by no more than this, since they have a moment. */
const plainer = new Set<DeviationKind>(['course', 'course-rest', 'gap', 'gap-rest', 'pace']);
const plainerFrom = 0.6;

/** An offset that is so much of the gap at its greatest is there all the time. */
const offsetShare = 0.6;
const gapKinds: readonly DeviationKind[] = ['gap', 'whole-gap', 'gap-rest', 'whole-gap-rest'];

function isPlainer(kind: DeviationKind, finding: Finding, before: Finding): boolean {
	return (
		plainer.has(kind) &&
		before.from === null &&
		finding.doubt >= plainerFrom * before.doubt &&
		!/recalibrate/.test(before.reason)
	);
}

const nothing: Profile = {frames: 0, action: null, state: null, pairs: null};

function comparedProfile({profile, metrics, traits}: ComparedEpisode): ComparedProfile {
	return {
		...(profile ?? nothing),
		whole: {
			seconds: metrics.duration_s,
			pause: traits.longestPause ?? Number.NaN,
			droppedFrames: metrics.dt_dropped_frames ?? Number.NaN,
			droppedAt: traits.droppedAt ?? Number.NaN,
			cameraSkew: (metrics.sync_skew_max_ms ?? Number.NaN) / 1000,
		},
	};
}

/** A fault that many of the group have in the same channel accuses none of them. */
function leaveShared(verdicts: readonly Verdict[]): void {
	const counts = new Map<string, number>();
	const key = ({tag, channels}: Finding) => `${tag}/${channels[0]?.name}`;
	for (const {findings} of verdicts)
		for (const finding of findings) counts.set(key(finding), (counts.get(key(finding)) ?? 0) + 1);
	for (const verdict of verdicts) {
		verdict.findings = verdict.findings.filter(
			finding => verdicts.length < 4 || (counts.get(key(finding)) ?? 0) <= mostOfGroup * verdicts.length,
		);
	}
}

/** A dimension whose range over the episode stays below this is frozen (`motion/channel-aggregates.ts`). */
const smallestRange = 1e-6;

/** A joint that never moves is a finding where it moves in all but this share of the episodes, and does something in them. */
const fewFrozen = 0.1;

function addFrozen(
	group: readonly ComparedEpisode[],
	names: ComparedNames,
	{isIdle}: Scales,
	verdicts: readonly Verdict[],
): void {
	const isFrozen = ({highest, lowest}: ComparedEpisode, channel: number) =>
		(highest[channel] ?? Number.NaN) - (lowest[channel] ?? Number.NaN) < smallestRange;
	const told = names.action.flatMap((_, channel) => {
		const frozen = group.filter(episode => isFrozen(episode, channel)).length;
		return !isIdle[channel] && frozen > 0 && frozen <= fewFrozen * group.length ? [channel] : [];
	});
	if (told.length === 0) return;
	for (const [at, episode] of group.entries()) {
		const places = told.filter(channel => isFrozen(episode, channel));
		if (places.length === 0) continue;
		const frozen = places.map(channel => names.action[channel] as string);
		const moved = group.filter(each => places.every(channel => !isFrozen(each, channel))).length;
		const [verb, they] = frozen.length === 1 ? ['never moves', 'moves'] : ['never move', 'all move'];
		verdicts[at]?.findings.push({
			...unplaced,
			tag: 'frozen',
			reason: `${channelList(frozen)} ${verb} (${they} in ${moved} of ${group.length - 1} siblings)`,
			channels: frozen.map(name => ({stream: 'action', name})),
			doubt: 2 * suspectFrom,
		});
	}
}

/** Two recordings of the same moment: one of them trains twice. */
function addDoubles(episodes: readonly ComparedEpisode[], verdicts: readonly (Verdict | undefined)[]): void {
	for (const [at, other] of findDoubles(episodes).entries()) {
		if (other < 0) continue;
		verdicts[at]?.findings.push({
			...unplaced,
			tag: 'duplicate',
			reason: `is the same recording as episode ${episodes[other]?.episodeIndex}`,
			doubt: 2 * suspectFrom,
		});
	}
}

function addMistyped(
	episodes: readonly ComparedEpisode[],
	meant: ReadonlyMap<string, string>,
	verdicts: readonly (Verdict | undefined)[],
): void {
	for (const [at, {task}] of episodes.entries()) {
		const other = task === null ? undefined : meant.get(task);
		if (other === undefined) continue;
		verdicts[at]?.findings.push({
			...unplaced,
			tag: 'mistyped-task',
			reason: `its task is written "${clipped(task ?? '')}", the others' "${clipped(other)}"`,
			doubt: 2 * suspectFrom,
		});
	}
}

const clipped = (text: string) => (text.length > 80 ? `${text.slice(0, 79)}…` : text);

/** How much nearer to another task's ways than to its own an episode must be, in what episodes of each usually are. */
const ownDistance = 3;
const otherDistance = 2;

function addLabels(
	episodes: readonly ComparedEpisode[],
	meant: ReadonlyMap<string, string>,
	templates: ReadonlyMap<string | null, GroupTemplate>,
	verdicts: readonly (Verdict | undefined)[],
): void {
	if (templates.size < 2) return;
	for (const [at, {task, profile}] of episodes.entries()) {
		const verdict = verdicts[at];
		const own = templates.get(meantTask(task, meant));
		if (!verdict || !own || verdict.odd < suspectFrom) continue;
		const course = profile?.[own.stream]?.course;
		if (!course || own.distance(course) < ownDistance) continue;
		let nearest: {task: string | null; distance: number} | undefined;
		for (const [other, template] of templates) {
			const others = profile?.[template.stream]?.course;
			if (template === own || !others) continue;
			const distance = template.distance(others);
			if (distance < otherDistance && distance < (nearest?.distance ?? Number.POSITIVE_INFINITY))
				nearest = {task: other, distance};
		}
		if (!nearest) continue;
		verdict.findings.push({
			...unplaced,
			tag: 'wrong-label',
			reason: `moves like "${clipped(nearest.task ?? 'no task')}", not like its own task`,
			doubt: 2 * suspectFrom,
		});
	}
}
