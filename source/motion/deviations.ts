/** Where an episode can be unlike its siblings; the words and tags of each are the service's. */
export const deviationKinds = [
	'duration',
	'pause',
	'dropped-frames',
	'camera-skew',
	'start',
	'end',
	'low',
	'high',
	'path',
	'action-rough',
	'state-rough',
	'action-jump',
	'state-jump',
	'action-spike',
	'state-spike',
	'action-held',
	'state-held',
	'offset',
	'gain',
	'lag',
	'joint-lag',
	'rest',
	'course',
	'whole-course',
	'course-rest',
	'whole-course-rest',
	'gap',
	'whole-gap',
	'gap-rest',
	'whole-gap-rest',
	'pace',
	'phase',
] as const;
export type DeviationKind = (typeof deviationKinds)[number];

/** Those of the follower beside its leader: no way of doing the task changes them. */
export const ofFollowing: ReadonlySet<DeviationKind> = new Set<DeviationKind>([
	'offset',
	'gain',
	'lag',
	'joint-lag',
	'rest',
]);

/** How far each episode of a group is from its siblings in one way. */
export class Deviations {
	/** In spreads of the siblings. */
	readonly size: Float64Array;
	/** The channel that it is greatest in, by its place in its stream; −1 for none. */
	readonly channel: Int32Array;
	/** The stretch, in shares of the episode; NaN where it is all of it. */
	readonly from: Float64Array;
	readonly until: Float64Array;
	/** The figure measured, in its own unit (some are logarithms), the siblings' median and their spread. */
	readonly value: Float64Array;
	readonly usual: Float64Array;
	readonly spread: Float64Array;

	readonly isOfFollowing: boolean;

	constructor(count: number, isOfFollowing: boolean) {
		this.isOfFollowing = isOfFollowing;
		this.size = new Float64Array(count);
		this.channel = new Int32Array(count).fill(-1);
		this.from = new Float64Array(count).fill(Number.NaN);
		this.until = new Float64Array(count).fill(Number.NaN);
		this.value = new Float64Array(count).fill(Number.NaN);
		this.usual = new Float64Array(count).fill(Number.NaN);
		this.spread = new Float64Array(count).fill(Number.NaN);
	}

	/** Keeps a deviation of an episode where it is greater than those before. @returns whether it is */
	raise(at: number, channel: number, value: number, usual: number, spread: number): boolean {
		const size = Math.abs(value - usual) / spread;
		if (!(size > (this.size[at] as number))) return false;
		this.size[at] = size;
		this.channel[at] = channel;
		this.value[at] = value;
		this.usual[at] = usual;
		this.spread[at] = spread;
		return true;
	}

	place(at: number, from: number, until: number): void {
		this.from[at] = from;
		this.until[at] = until;
	}
}

export type DeviationsByKind = ReadonlyMap<DeviationKind, Deviations>;
