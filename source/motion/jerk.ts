import {defined} from './defined.ts';

/**
 * Mean ‖Δ³a‖₂ · fps³, in the robot's own units.
 *
 * @returns null with fewer than four frames.
 */
export function meanJerk(values: Float32Array | Float64Array, dims: number, fps: number): number | null {
	const differences = values.length / dims - 3;
	let sum = 0;
	for (let t = 0, now = 3 * dims; t < differences; t++) {
		let squares = 0;
		for (const end = now + dims; now < end; now++) {
			const outer = (values[now] as number) - (values[now - 3 * dims] as number);
			const inner = (values[now - dims] as number) - (values[now - 2 * dims] as number);
			const third = outer - 3 * inner;
			squares += third * third;
		}
		sum += Math.sqrt(squares);
	}
	return differences < 1 ? null : defined((sum / differences) * fps ** 3);
}
