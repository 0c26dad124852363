/** One numeric feature over an episode: frame after frame, `dims` numbers each. */
export type Signal = {readonly values: Float32Array | Float64Array; readonly dims: number};

/** The aggregates of one channel over an episode; null if no value of it is a finite number. */
export type ChannelAggregate = {
	readonly max: number;
	readonly min: number;
	readonly mean: number;
	/** Population standard deviation (ddof 0), as LeRobot's own statistics. */
	readonly std: number;
};

export type StreamAggregates = {
	/** One entry a dimension. */
	readonly channels: readonly (ChannelAggregate | null)[];
	/** True if every value of the stream is a finite number. */
	readonly finite: boolean;
};

/**
 * Aggregates every channel of a stream in one pass. Values that are not finite are left out.
 *
 * @param values frame after frame, `dims` numbers each.
 */
export function aggregateChannels(values: Float32Array | Float64Array, dims: number): StreamAggregates {
	const channels: (ChannelAggregate | null)[] = [];
	let finite = true;
	for (let dim = 0; dim < dims; dim++) {
		const whole = aggregate(values, dim, dims);
		if (!whole) finite = false;
		channels.push(whole ?? aggregateFinite(values, dim, dims));
	}
	return {channels, finite: finite && values.length > 0};
}

/** @returns null where a value is not finite, or too great to be squared. */
function aggregate(values: Float32Array | Float64Array, dim: number, dims: number): ChannelAggregate | null {
	// About the first value, the sum of squares keeps its digits at any offset of the channel.
	const origin = values[dim] as number;
	let max = origin;
	let min = origin;
	let sum = 0;
	let squares = 0;
	for (let at = dim; at < values.length; at += dims) {
		const value = values[at] as number;
		const shifted = value - origin;
		sum += shifted;
		squares += shifted * shifted;
		if (value > max) max = value;
		else if (value < min) min = value;
	}
	const count = values.length / dims;
	const shift = sum / count;
	const variance = squares / count - shift * shift;
	if (!Number.isFinite(variance)) return null;
	return {max, min, mean: origin + shift, std: max === min ? 0 : Math.sqrt(Math.max(0, variance))};
}

/** The careful way: leaves out what is not finite and scales what is too great. */
function aggregateFinite(
	values: Float32Array | Float64Array,
	dim: number,
	dims: number,
): ChannelAggregate | null {
	const kept: number[] = [];
	for (let at = dim; at < values.length; at += dims) {
		const value = values[at] as number;
		if (Number.isFinite(value)) kept.push(value);
	}
	if (kept.length === 0) return null;
	let max = Number.NEGATIVE_INFINITY;
	let min = Number.POSITIVE_INFINITY;
	let mean = 0;
	for (const value of kept) {
		max = Math.max(max, value);
		min = Math.min(min, value);
		mean += value / kept.length;
	}
	const scale = Math.max(Math.abs(max), Math.abs(min)) || 1;
	let variance = 0;
	for (const value of kept) variance += (value / scale - mean / scale) ** 2 / kept.length;
	return {max, min, mean, std: Math.sqrt(variance) * scale};
}

/** A dimension whose range over the episode stays below this is frozen. */
const smallestRange = 1e-6;

/** How many dimensions do not move within the episode. One without a single finite value counts as frozen. */
export function countFrozenDims(channels: readonly (ChannelAggregate | null)[]): number {
	return channels.filter(channel => !channel || channel.max - channel.min < smallestRange).length;
}
