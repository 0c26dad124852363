/**
 * Dynamic time warping of courses: which part of an episode is the same phase of the task as each part of another. Both
 * are read at every second part, and a phase may be early or late by a quarter of the episode.
 */
export class Aligner {
	readonly parts: number;
	readonly #channels: readonly number[];
	readonly #scales: Float64Array;
	readonly #dims: number;
	readonly #steps: number;
	readonly #band: number;
	readonly #cost: Float64Array;
	readonly #own: Float64Array;

	/**
	 * @param channels those that the task uses
	 * @param scales what each is measured by
	 */
	constructor(parts: number, dims: number, channels: readonly number[], scales: ArrayLike<number>) {
		this.parts = parts;
		this.#dims = dims;
		this.#channels = channels;
		this.#scales = Float64Array.from(
			channels,
			channel => 1 / (scales[channel] as number) / Math.sqrt(channels.length),
		);
		this.#steps = parts >> 1;
		this.#band = Math.max(2, Math.round(this.#steps / 4));
		this.#cost = new Float64Array(this.#steps * this.#steps);
		this.#own = new Float64Array(this.#steps * channels.length);
	}

	/** A course as `align` takes it: the used channels at every second part, in their scales. */
	sketch(course: Float32Array): Float64Array {
		const width = this.#channels.length;
		const sketch = new Float64Array(this.#steps * width);
		this.#sketchInto(course, sketch);
		return sketch;
	}

	#sketchInto(course: Float32Array, sketch: Float64Array): void {
		const width = this.#channels.length;
		for (let step = 0; step < this.#steps; step++) {
			const [first, second] = [2 * step * this.#dims, (2 * step + 1) * this.#dims];
			for (let place = 0; place < width; place++) {
				const channel = this.#channels[place] as number;
				const both = (course[first + channel] as number) + (course[second + channel] as number);
				sketch[step * width + place] = (both / 2) * (this.#scales[place] as number);
			}
		}
	}

	/** Penalty for leaving the diagonal by a step, so that a standstill is not stretched at will. */
	static readonly #slope = 0.002;

	/** The mean distance along the best way, in scales. */
	distance(course: Float32Array, template: Float64Array): number {
		this.#sketchInto(course, this.#own);
		return this.sketchDistance(this.#own, template);
	}

	sketchDistance(own: Float64Array, template: Float64Array): number {
		const steps = this.#steps;
		const band = this.#band;
		const width = this.#channels.length;
		const cost = this.#cost;
		for (let row = 0; row < steps; row++) {
			const from = Math.max(0, row - band);
			const until = Math.min(steps - 1, row + band);
			for (let column = from; column <= until; column++) {
				let squares = 0;
				for (let place = 0, a = row * width, b = column * width; place < width; place++, a++, b++) {
					const gap = (own[a] as number) - (template[b] as number);
					squares += gap * gap;
				}
				const here = row * steps + column;
				let best = row === 0 && column === 0 ? 0 : Number.POSITIVE_INFINITY;
				if (row > 0 && column > 0) best = cost[here - steps - 1] as number;
				if (row > 0 && column < row + band)
					best = Math.min(best, (cost[here - steps] as number) + Aligner.#slope);
				if (column > from) best = Math.min(best, (cost[here - 1] as number) + Aligner.#slope);
				cost[here] = best + squares;
			}
		}
		return Math.sqrt((cost[steps * steps - 1] as number) / steps);
	}

	/**
	 * The warp onto a template.
	 *
	 * @param places filled with the part of the course, to fractions, that belongs to each part of the template
	 * @returns the mean distance along the way
	 */
	align(course: Float32Array, template: Float64Array, places: Float64Array): number {
		const distance = this.distance(course, template);
		const steps = this.#steps;
		const cost = this.#cost;
		const sums = new Float64Array(steps);
		const counts = new Float64Array(steps);
		const usable = (row: number, column: number) =>
			row >= 0 && column >= 0 && Math.abs(row - column) <= this.#band;
		let row = steps - 1;
		let column = steps - 1;
		for (;;) {
			sums[column] = (sums[column] as number) + row;
			counts[column] = (counts[column] as number) + 1;
			if (row === 0 && column === 0) break;
			const diagonal = usable(row - 1, column - 1)
				? (cost[(row - 1) * steps + column - 1] as number)
				: Number.POSITIVE_INFINITY;
			const up = usable(row - 1, column)
				? (cost[(row - 1) * steps + column] as number) + Aligner.#slope
				: Number.POSITIVE_INFINITY;
			const left = usable(row, column - 1)
				? (cost[row * steps + column - 1] as number) + Aligner.#slope
				: Number.POSITIVE_INFINITY;
			if (row > 0 && column > 0 && !(diagonal > up || diagonal > left)) {
				row--;
				column--;
			} else if (column === 0 || (row > 0 && up <= left)) row--;
			else column--;
		}
		for (let step = 0; step < steps; step++) {
			const here = (sums[step] as number) / (counts[step] as number);
			const next = step + 1 < steps ? (sums[step + 1] as number) / (counts[step + 1] as number) : here + 1;
			places[2 * step] = Math.min(this.parts - 1, Math.max(0, 2 * here + 0.5 - (next - here) / 2));
			places[2 * step + 1] = Math.min(this.parts - 1, Math.max(0, 2 * here + 0.5 + (next - here) / 2));
		}
		return distance;
	}
}
