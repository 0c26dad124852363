/**
 * A forward complex Fourier transform of one size, radix-4 with decimation in frequency: the input is in
 * order, frequency k comes out at `place[k]`. Leaving the output where it falls saves the permutation; who
 * reads it looks the place up.
 */
export type Fft = {
	readonly size: number;
	readonly place: Uint32Array;
	/** Transforms in place. Both arrays have `size` elements. */
	readonly transform: (re: Float64Array, im: Float64Array) => void;
};

const plans = new Map<number, Fft>();

/** @param size a power of two. */
export function fftOf(size: number): Fft {
	let plan = plans.get(size);
	if (!plan) {
		plan = createFft(size);
		plans.set(size, plan);
	}
	return plan;
}

function createFft(size: number): Fft {
	const twiddles: Float64Array[] = [];
	for (let span = size; span > 4; span /= 4) twiddles.push(stageTwiddles(span));
	return {
		size,
		place: outputPlaces(size),
		transform(re, im) {
			let span = size;
			for (const stage of twiddles) {
				butterflies(re, im, span, stage);
				span /= 4;
			}
			if (span === 4) lastRadix4(re, im);
			else if (span === 2) lastRadix2(re, im);
		},
	};
}

/** For each j of a butterfly's quarter: W^j, W^2j, W^3j as (cos, sin) with W = exp(-2πi / span). */
function stageTwiddles(span: number): Float64Array {
	const quarter = span / 4;
	const table = new Float64Array(quarter * 6);
	for (let j = 0; j < quarter; j++) {
		for (let power = 1; power <= 3; power++) {
			const angle = (-2 * Math.PI * j * power) / span;
			table[j * 6 + power * 2 - 2] = Math.cos(angle);
			table[j * 6 + power * 2 - 1] = Math.sin(angle);
		}
	}
	return table;
}

function outputPlaces(size: number): Uint32Array {
	const place = new Uint32Array(size);
	for (let k = 0; k < size; k++) {
		let frequency = k;
		let at = 0;
		for (let span = size; span > 1; ) {
			const radix = span === 2 ? 2 : 4;
			span /= radix;
			at += (frequency % radix) * span;
			frequency = Math.floor(frequency / radix);
		}
		place[k] = at;
	}
	return place;
}

function butterflies(re: Float64Array, im: Float64Array, span: number, twiddles: Float64Array): void {
	const quarter = span >> 2;
	for (let start = 0; start < re.length; start += span) {
		for (let j = 0, w = 0; j < quarter; j++, w += 6) {
			const i0 = start + j;
			const i1 = i0 + quarter;
			const i2 = i1 + quarter;
			const i3 = i2 + quarter;
			const r0 = re[i0] as number;
			const m0 = im[i0] as number;
			const r1 = re[i1] as number;
			const m1 = im[i1] as number;
			const r2 = re[i2] as number;
			const m2 = im[i2] as number;
			const r3 = re[i3] as number;
			const m3 = im[i3] as number;
			const evenSumR = r0 + r2;
			const evenSumM = m0 + m2;
			const evenGapR = r0 - r2;
			const evenGapM = m0 - m2;
			const oddSumR = r1 + r3;
			const oddSumM = m1 + m3;
			// -i times the gap.
			const oddGapR = m1 - m3;
			const oddGapM = r3 - r1;
			re[i0] = evenSumR + oddSumR;
			im[i0] = evenSumM + oddSumM;
			const c1 = twiddles[w] as number;
			const s1 = twiddles[w + 1] as number;
			const y1R = evenGapR + oddGapR;
			const y1M = evenGapM + oddGapM;
			re[i1] = y1R * c1 - y1M * s1;
			im[i1] = y1R * s1 + y1M * c1;
			const c2 = twiddles[w + 2] as number;
			const s2 = twiddles[w + 3] as number;
			const y2R = evenSumR - oddSumR;
			const y2M = evenSumM - oddSumM;
			re[i2] = y2R * c2 - y2M * s2;
			im[i2] = y2R * s2 + y2M * c2;
			const c3 = twiddles[w + 4] as number;
			const s3 = twiddles[w + 5] as number;
			const y3R = evenGapR - oddGapR;
			const y3M = evenGapM - oddGapM;
			re[i3] = y3R * c3 - y3M * s3;
			im[i3] = y3R * s3 + y3M * c3;
		}
	}
}

/** The last stage of a power of four: every twiddle is 1. */
function lastRadix4(re: Float64Array, im: Float64Array): void {
	for (let i = 0; i < re.length; i += 4) {
		const r0 = re[i] as number;
		const m0 = im[i] as number;
		const r1 = re[i + 1] as number;
		const m1 = im[i + 1] as number;
		const r2 = re[i + 2] as number;
		const m2 = im[i + 2] as number;
		const r3 = re[i + 3] as number;
		const m3 = im[i + 3] as number;
		re[i] = r0 + r2 + (r1 + r3);
		im[i] = m0 + m2 + (m1 + m3);
		re[i + 1] = r0 - r2 + (m1 - m3);
		im[i + 1] = m0 - m2 + (r3 - r1);
		re[i + 2] = r0 + r2 - (r1 + r3);
		im[i + 2] = m0 + m2 - (m1 + m3);
		re[i + 3] = r0 - r2 - (m1 - m3);
		im[i + 3] = m0 - m2 - (r3 - r1);
	}
}

/** The last stage where one factor of two is left. */
function lastRadix2(re: Float64Array, im: Float64Array): void {
	for (let i = 0; i < re.length; i += 2) {
		const r0 = re[i] as number;
		const m0 = im[i] as number;
		const r1 = re[i + 1] as number;
		const m1 = im[i + 1] as number;
		re[i] = r0 + r1;
		im[i] = m0 + m1;
		re[i + 1] = r0 - r1;
		im[i + 1] = m0 - m1;
	}
}
