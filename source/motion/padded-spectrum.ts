import {type Fft, fftOf} from './fft.ts';

/** A signal is padded with zeros to this many times the next power of two. */
const padding = 16;

/** Length of the padded transform: 2^(ceil(log2 N) + 4) for N samples. */
export function paddedLength(samples: number): number {
	return padding * blockLength(samples);
}

function blockLength(samples: number): number {
	return 2 ** Math.ceil(Math.log2(samples));
}

/**
 * Power |X(k)|² of a real signal's zero-padded transform, for the bins 0 to `lastBin` (at most half its length).
 *
 * Of the padded input only a sixteenth is not zero. Its bins k ≡ r (mod 16) are the transform of the bare block
 * turned by exp(-2πi·r·n / length): sixteen small transforms, and since the signal is real those of r and
 * 16 − r mirror each other, so nine are enough. That is a third of the work of the plain transform.
 *
 * @param signal at least one sample.
 * @returns a buffer that the next call reuses.
 */
export function paddedPower(signal: Float64Array, lastBin: number): Float64Array {
	const plan = planFor(blockLength(signal.length));
	const power = plan.power;
	for (let residue = 0; residue <= padding / 2; residue++) {
		turn(signal, plan, residue);
		plan.fft.transform(plan.re, plan.im);
		gather(plan, residue, lastBin, power);
	}
	return power.subarray(0, lastBin + 1);
}

type Plan = {
	readonly fft: Fft;
	readonly re: Float64Array;
	readonly im: Float64Array;
	/** For each residue 1 to 8 a row of (cos, sin) a sample. */
	readonly turns: readonly Float64Array[];
	readonly power: Float64Array;
};

const plans = new Map<number, Plan>();

function planFor(block: number): Plan {
	let plan = plans.get(block);
	if (!plan) {
		plan = {
			fft: fftOf(block),
			re: new Float64Array(block),
			im: new Float64Array(block),
			turns: Array.from({length: padding / 2}, (_, row) => turnTable(block, row + 1)),
			power: new Float64Array((padding / 2) * block + 1),
		};
		plans.set(block, plan);
	}
	return plan;
}

function turnTable(block: number, residue: number): Float64Array {
	const table = new Float64Array(2 * block);
	for (let n = 0; n < block; n++) {
		const angle = (-2 * Math.PI * residue * n) / (padding * block);
		table[2 * n] = Math.cos(angle);
		table[2 * n + 1] = Math.sin(angle);
	}
	return table;
}

/** Writes the signal, turned by the residue, into the plan's block and clears what is behind it. */
function turn(signal: Float64Array, {re, im, turns}: Plan, residue: number): void {
	const samples = signal.length;
	const table = turns[residue - 1];
	if (table) {
		for (let n = 0; n < samples; n++) {
			const x = signal[n] as number;
			re[n] = x * (table[2 * n] as number);
			im[n] = x * (table[2 * n + 1] as number);
		}
		im.fill(0, samples);
	} else {
		re.set(signal);
		im.fill(0);
	}
	re.fill(0, samples);
}

/** Spreads a small transform over the bins that it stands for: 16k + r, and mirrored 16k − r. */
function gather({fft, re, im}: Plan, residue: number, lastBin: number, power: Float64Array): void {
	const {place, size} = fft;
	for (let bin = residue, k = 0; bin <= lastBin; bin += padding, k++) {
		const at = place[k] as number;
		const r = re[at] as number;
		const m = im[at] as number;
		power[bin] = r * r + m * m;
	}
	if (residue === 0 || residue === padding / 2) return;
	for (let bin = padding - residue, k = size - 1; bin <= lastBin; bin += padding, k--) {
		const at = place[k] as number;
		const r = re[at] as number;
		const m = im[at] as number;
		power[bin] = r * r + m * m;
	}
}
