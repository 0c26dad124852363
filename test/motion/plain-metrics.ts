/**
 * A second implementation of the motion metrics, straight from their definitions: one step a line, sums of
 * products, no cleverness. It shares nothing with the program's own.
 */
export type PlainMetrics = Record<string, number | null>;

export function plainMetrics(action: number[][], timestamps: number[], fps: number): PlainMetrics {
	const frames = action.length;
	const speed = differences(action, 1).map(step => norm(step) * fps);
	const jerk = differences(action, 3).map(step => norm(step) * fps ** 3);
	const moving = percentile(speed, 0.95);
	return {
		speed_mean: orNull(mean(speed)),
		speed_p10: orNull(percentile(speed, 0.1)),
		speed_p50: orNull(percentile(speed, 0.5)),
		speed_p90: orNull(percentile(speed, 0.9)),
		jerk_mean: orNull(mean(jerk)),
		pause_fraction: moving > 0 ? speed.filter(v => v < 0.05 * moving).length / speed.length : null,
		pause_count: moving > 0 ? pauses(speed, 0.05 * moving, fps) : null,
		sparc: plainSparc(speed, fps),
		ldlj: plainLdlj(speed, fps),
		psd_hf_ratio: plainHighFrequencyRatio(speed, fps),
		frozen_action_dims: frames === 0 ? 0 : transposed(action).filter(dim => range(dim) < 1e-6).length,
		...plainTiming(timestamps, fps),
	};
}

export function plainSparc(speed: number[], fps: number): number | null {
	if (speed.length < 3 || Math.max(...speed) === 0) return null;
	const length = 2 ** (Math.ceil(Math.log2(speed.length)) + 4);
	const magnitudes: number[] = [];
	for (let bin = 0; bin <= length / 2; bin++) magnitudes.push(amplitude(speed, bin / length));
	const greatest = Math.max(...magnitudes);
	const shares = magnitudes.map(magnitude => magnitude / greatest);
	const kept = shares
		.map((share, bin) => ({share, frequency: (bin * fps) / length}))
		.filter(({frequency}) => frequency <= 10);
	const first = kept.findIndex(({share}) => share >= 0.05);
	const last = kept.findLastIndex(({share}) => share >= 0.05);
	const arc = kept.slice(first, last + 1);
	const width = (arc.at(-1)?.frequency ?? 0) - (arc[0]?.frequency ?? 0);
	if (width === 0) return null;
	let sum = 0;
	for (let bin = 1; bin < arc.length; bin++) {
		const df = ((arc[bin]?.frequency ?? 0) - (arc[bin - 1]?.frequency ?? 0)) / width;
		const dm = (arc[bin]?.share ?? 0) - (arc[bin - 1]?.share ?? 0);
		sum += Math.sqrt(df ** 2 + dm ** 2);
	}
	return -sum;
}

export function plainLdlj(speed: number[], fps: number): number | null {
	if (speed.length < 3) return null;
	const dt = 1 / fps;
	const duration = speed.length * dt;
	const peak = Math.max(...speed);
	let sum = 0;
	for (let t = 2; t < speed.length; t++) {
		sum += (((speed[t] ?? 0) - 2 * (speed[t - 1] ?? 0) + (speed[t - 2] ?? 0)) / dt ** 2) ** 2;
	}
	return orNull(-Math.log(Math.abs((duration ** 3 / peak ** 2) * sum * dt)));
}

export function plainHighFrequencyRatio(speed: number[], fps: number): number | null {
	if (speed.length < 3 || fps < 10) return null;
	const center = mean(speed);
	const demeaned = speed.map(v => v - center);
	let high = 0;
	let total = 0;
	for (let bin = 1; bin < speed.length; bin++) {
		const power = amplitude(demeaned, bin / speed.length) ** 2;
		// The second half of the transform is that of the negative frequencies.
		const frequency = (Math.min(bin, speed.length - bin) * fps) / speed.length;
		total += power;
		if (frequency >= 5) high += power;
	}
	return total > 0 ? high / total : null;
}

function plainTiming(timestamps: number[], fps: number): PlainMetrics {
	const steps = timestamps.slice(1).map((time, at) => time - (timestamps[at] ?? 0));
	if (steps.length === 0) return {dt_jitter_ms: null, dt_dropped_frames: null};
	return {
		dt_jitter_ms: deviation(steps) * 1000,
		dt_dropped_frames: steps.reduce((sum, step) => sum + Math.max(0, Math.round(step * fps) - 1), 0),
	};
}

/** |Σ x · exp(−2πi · n · cyclesPerSample)| */
function amplitude(signal: number[], cyclesPerSample: number): number {
	let re = 0;
	let im = 0;
	for (const [n, x] of signal.entries()) {
		re += x * Math.cos(2 * Math.PI * n * cyclesPerSample);
		im -= x * Math.sin(2 * Math.PI * n * cyclesPerSample);
	}
	return Math.hypot(re, im);
}

function differences(rows: number[][], order: number): number[][] {
	let result = rows;
	for (let round = 0; round < order; round++) {
		result = result.slice(1).map((row, at) => row.map((value, dim) => value - (result[at]?.[dim] ?? 0)));
	}
	return result;
}

function pauses(speed: number[], threshold: number, fps: number): number {
	const runs = speed
		.map(v => (v < threshold ? 's' : '-'))
		.join('')
		.split(/-+/);
	return runs.filter(run => run.length > 0 && run.length / fps >= 0.25).length;
}

const norm = (vector: number[]): number => Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0));
export const mean = (values: number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length;
const range = (values: number[]): number => Math.max(...values) - Math.min(...values);
const orNull = (value: number): number | null => (Number.isFinite(value) ? value : null);

export function deviation(values: number[]): number {
	const center = mean(values);
	return Math.sqrt(mean(values.map(value => (value - center) ** 2)));
}

export function percentile(values: number[], share: number): number {
	const sorted = values.toSorted((a, b) => a - b);
	const place = share * (sorted.length - 1);
	const below = sorted[Math.floor(place)] ?? Number.NaN;
	const above = sorted[Math.ceil(place)] ?? Number.NaN;
	return below + (above - below) * (place - Math.floor(place));
}

export function transposed(rows: number[][]): number[][] {
	return (rows[0] ?? []).map((_, dim) => rows.map(row => row[dim] ?? Number.NaN));
}
