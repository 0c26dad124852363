import type {Random} from './random.ts';
import type {Limb, Operator} from './robots.ts';
import type {Location, Move, TaskProgram} from './tasks.ts';

/** A minimum-jerk movement: each dimension goes by its delta, and bows aside by its bend on the way. */
type Submovement = {
	readonly start: number;
	readonly seconds: number;
	readonly delta: Float64Array;
	readonly bend: Float64Array;
};

/** A stretch of time in which a hand holds something and cannot close any further. */
type Hold = {readonly limb: Limb; readonly from: number; readonly to: number; readonly width: number};

/** The course of an episode, in seconds from its start and the robot's units. */
export type Plan = {
	readonly seconds: number;
	readonly start: Float64Array;
	readonly submovements: readonly Submovement[];
	readonly holds: readonly Hold[];
	/** Times in which the operator has let go: the command stands still, without noise. */
	readonly rests: readonly {readonly from: number; readonly to: number}[];
	/** Subtasks in order, each with the time it ends. */
	readonly subtasks: readonly {readonly name: string; readonly end: number}[];
};

/** Faults in an episode's course. */
export type Course = {
	/** How often the first approach and grasp are tried again. @default 0 */
	readonly retries?: number;
	/** Factor on all times. @default as the operator usually does it */
	readonly slowness?: number;
	/** Seconds of rest put in, each at another move. @default none */
	readonly pauses?: readonly number[];
	/** Degrees by which the last pose is off. @default 0 */
	readonly endsOff?: number;
};

/** Standard deviations of the targets, in degrees: objects lie elsewhere each time, the rest pose does not. */
const spreads: Readonly<Record<Location, number>> = {home: 0.7, object: 4, goal: 2.5};

/**
 * Plans one demonstration of a task: as people's arm movements are modelled, a sum of minimum-jerk submovements
 * that may overlap (Flash & Hogan 1985; Flash & Henis 1991), with the spread, pace and pauses of a person.
 */
export function planEpisode(
	program: TaskProgram,
	operator: Operator,
	random: Random,
	course: Course = {},
): Plan {
	const {robot} = program;
	const moves = withRetries(program, course.retries ?? 0);
	const usual = Math.exp(random.normal(0, 0.13)) * operator.slowness;
	const pace = course.slowness ?? usual;
	const offsets = placeOffsets(program, random);
	const pauses = pausePlaces(moves.length, course.pauses ?? [], random);
	const pose = restPose(program, random);
	const start = pose.slice();
	const submovements: Submovement[] = [];
	const subtasks: {name: string; end: number}[] = [];
	const rests: {from: number; to: number}[] = [];
	const hands = new Hands(robot.limbs, random);
	let time = random.between(0.25, 0.8);
	for (const [place, move] of moves.entries()) {
		const target = pose.slice();
		const moved = setTargets(target, move, program, offsets);
		if (place === moves.length - 1 && course.endsOff) displace(target, program, course.endsOff, random);
		const seconds = move.seconds * pace * Math.max(0.5, random.normal(1, 0.12));
		// A hand closes only once the arm is there; arm movements flow into each other.
		const overlap = moved && submovements.length > 0 ? random.between(0, 0.28) * seconds : 0;
		const from = time - overlap;
		const hesitates = moved && random.chance(operator.hesitancy * robot.difficulty);
		const hesitation = hesitates ? random.between(0.15, 0.6) : 0;
		submovements.push(...submovementsTo(target, {from, seconds, pose, hesitation}, random));
		time = from + seconds + hesitation;
		hands.note(move, time - seconds * 0.4);
		pose.set(target);
		const pause = pauses.get(place) ?? 0;
		if (pause > 0) rests.push({from: time + 0.1, to: time + pause - 0.5});
		time += pause + (random.chance(0.25) ? random.between(0.05, 0.35) : 0);
		const last = subtasks.at(-1);
		if (last?.name === move.subtask) last.end = time;
		else subtasks.push({name: move.subtask, end: time});
	}
	const seconds = time + random.between(0.25, 0.9);
	return {seconds, start, submovements, holds: hands.holds(seconds), rests, subtasks};
}

/** Each retry is the first approach and grasp, then half the way back. */
function withRetries({moves, robot}: TaskProgram, retries: number): Move[] {
	const approach = moves.findIndex(({subtask}) => subtask !== moves[0]?.subtask && subtask !== 'grasp');
	const attempt = moves.slice(0, Math.max(1, approach));
	const halfway = robot.home.map((home, limb) => {
		const reached = attempt.findLast(move => move.limbs[limb]?.joints)?.limbs[limb]?.joints;
		return reached
			? {joints: home.map((angle, joint) => (angle + (reached[joint] ?? angle)) / 2), hand: 0.9}
			: {};
	});
	const back: Move = {subtask: 'reach', seconds: 1, place: 'object', limbs: halfway};
	return [...Array.from({length: retries}, () => [...attempt, back]).flat(), ...moves];
}

/** For each place the offset of every dimension in this episode. */
function placeOffsets({robot}: TaskProgram, random: Random): Record<Location, Float64Array> {
	const draw = (spread: number) =>
		Float64Array.from({length: robot.dims}, () => random.normal(0, spread) * robot.degree);
	return {home: draw(spreads.home), object: draw(spreads.object), goal: draw(spreads.goal)};
}

function restPose({robot}: TaskProgram, random: Random): Float64Array {
	const pose = new Float64Array(robot.dims);
	for (const [place, limb] of robot.limbs.entries()) {
		for (const [joint, dim] of limb.joints.entries()) {
			pose[dim] = ((robot.home[place]?.[joint] ?? 0) + random.normal(0, spreads.home)) * robot.degree;
		}
		for (const grip of limb.grips) pose[grip.dim] = grip.closed;
	}
	return pose;
}

/** @returns whether a joint moves, not only a hand. */
function setTargets(
	target: Float64Array,
	move: Move,
	{robot}: TaskProgram,
	offsets: Record<Location, Float64Array>,
): boolean {
	let moved = false;
	for (const [place, limb] of robot.limbs.entries()) {
		const {joints, hand} = move.limbs[place] ?? {};
		for (const [joint, dim] of joints ? limb.joints.entries() : []) {
			target[dim] = (joints?.[joint] ?? 0) * robot.degree + (offsets[move.place][dim] ?? 0);
			moved = true;
		}
		if (hand === undefined) continue;
		for (const grip of limb.grips) target[grip.dim] = grip.closed + (grip.open - grip.closed) * hand;
	}
	return moved;
}

/** Moves two joints of every limb far from where they should end. */
function displace(target: Float64Array, {robot}: TaskProgram, degrees: number, random: Random): void {
	for (const {joints} of robot.limbs) {
		for (const dim of joints.slice(1, 3)) {
			target[dim] = (target[dim] ?? 0) + (random.chance(0.5) ? 1 : -1) * degrees * robot.degree;
		}
	}
}

type Way = {
	readonly from: number;
	readonly seconds: number;
	readonly pose: Float64Array;
	/** Seconds for which the movement stops on its way; 0 for one in a single sweep. */
	readonly hesitation: number;
};

function submovementsTo(
	target: Float64Array,
	{from, seconds, pose, hesitation}: Way,
	random: Random,
): Submovement[] {
	if (hesitation === 0) return [submovement(from, seconds, pose, target, random)];
	const share = random.between(0.35, 0.75);
	const halfway = pose.map((value, dim) => value + share * ((target[dim] ?? 0) - value));
	return [
		submovement(from, share * seconds, pose, halfway, random),
		submovement(from + share * seconds + hesitation, (1 - share) * seconds, halfway, target, random),
	];
}

function submovement(
	start: number,
	seconds: number,
	from: Float64Array,
	to: Float64Array,
	random: Random,
): Submovement {
	const delta = to.map((value, dim) => value - (from[dim] ?? 0));
	return {start, seconds, delta, bend: delta.map(value => value * random.normal(0, 0.08))};
}

/** Which moves are followed by a pause, none of them the first or the last. */
function pausePlaces(moves: number, pauses: readonly number[], random: Random): Map<number, number> {
	const places = new Map<number, number>();
	for (const seconds of pauses) {
		const place = 1 + random.below(Math.max(1, moves - 2));
		places.set(place, (places.get(place) ?? 0) + seconds);
	}
	return places;
}

/** Follows when each hand closes on something and opens again. */
class Hands {
	readonly #limbs: readonly Limb[];
	readonly #random: Random;
	readonly #closedSince = new Map<Limb, number>();
	readonly #holds: Hold[] = [];

	constructor(limbs: readonly Limb[], random: Random) {
		this.#limbs = limbs;
		this.#random = random;
	}

	note(move: Move, time: number): void {
		for (const [place, limb] of this.#limbs.entries()) {
			const hand = move.limbs[place]?.hand;
			if (hand === undefined) continue;
			if (hand >= 0.3) this.#end(limb, time);
			else if (move.place !== 'home' && !this.#closedSince.has(limb)) this.#closedSince.set(limb, time);
		}
	}

	/** All holds, those still lasting ended. */
	holds(end: number): readonly Hold[] {
		for (const limb of this.#limbs) this.#end(limb, end);
		return this.#holds;
	}

	#end(limb: Limb, time: number): void {
		const from = this.#closedSince.get(limb);
		if (from === undefined) return;
		this.#closedSince.delete(limb);
		this.#holds.push({limb, from, to: time, width: this.#random.between(0.15, 0.4)});
	}
}
