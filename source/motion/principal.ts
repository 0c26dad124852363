/** Beyond so many spreads a value does not say how it goes together with the others. */
const cut = 3;

const mostDirections = 6;
const rounds = 30;

/** The directions in which some lines vary together, of unit length: what an object elsewhere or a slower hand changes. */
export function principalDirections(lines: readonly Float64Array[]): Float64Array[] {
	const count = lines.length;
	const size = lines[0]?.length ?? 0;
	const kept = lines.map(values => values.map(clipped));
	const gram = gramOf(kept);
	const directions: Float64Array[] = [];
	const taken: Float64Array[] = [];
	while (directions.length < Math.min(mostDirections, Math.floor(count / 6))) {
		const vector = leadingVector(gram, count, taken);
		if (!vector) break;
		taken.push(vector);
		const direction = new Float64Array(size);
		for (const [at, values] of kept.entries()) {
			const weight = vector[at] as number;
			for (let place = 0; place < size; place++)
				direction[place] = (direction[place] as number) + weight * (values[place] as number);
		}
		const norm = Math.sqrt(direction.reduce((sum, value) => sum + value * value, 0));
		if (!(norm > 0)) break;
		directions.push(direction.map(value => value / norm));
	}
	return directions;
}

/** A line less what lies along some directions. */
export function withoutDirections(values: Float64Array, directions: readonly Float64Array[]): Float64Array {
	const rest = Float64Array.from(values);
	for (const direction of directions) {
		let along = 0;
		for (let place = 0; place < rest.length; place++)
			along += (direction[place] as number) * clipped(rest[place] as number);
		for (let place = 0; place < rest.length; place++)
			rest[place] = (rest[place] as number) - along * (direction[place] as number);
	}
	return rest;
}

function clipped(value: number): number {
	return value > cut ? cut : value < -cut ? -cut : value;
}

function gramOf(lines: readonly Float64Array[]): Float64Array {
	const count = lines.length;
	const gram = new Float64Array(count * count);
	for (let one = 0; one < count; one++) {
		const a = lines[one] as Float64Array;
		for (let two = 0; two <= one; two++) {
			const b = lines[two] as Float64Array;
			let sum = 0;
			for (let place = 0; place < a.length; place++) sum += (a[place] as number) * (b[place] as number);
			gram[one * count + two] = sum;
			gram[two * count + one] = sum;
		}
	}
	return gram;
}

/** The leading eigenvector beside those taken, by power iteration. */
function leadingVector(
	gram: Float64Array,
	count: number,
	taken: readonly Float64Array[],
): Float64Array | undefined {
	let vector = Float64Array.from({length: count}, (_, at) => Math.sin(1 + at * (taken.length + 1)));
	for (let round = 0; round < rounds; round++) {
		for (const other of taken) {
			let along = 0;
			for (let at = 0; at < count; at++) along += (other[at] as number) * (vector[at] as number);
			for (let at = 0; at < count; at++) vector[at] = (vector[at] as number) - along * (other[at] as number);
		}
		const next = new Float64Array(count);
		let squares = 0;
		for (let row = 0; row < count; row++) {
			let sum = 0;
			for (let at = 0; at < count; at++) sum += (gram[row * count + at] as number) * (vector[at] as number);
			next[row] = sum;
			squares += sum * sum;
		}
		if (!(squares > 0)) return undefined;
		const length = Math.sqrt(squares);
		vector = next.map(value => value / length);
	}
	return vector;
}
