import type {Limb, Point} from './robots.ts';

/** Rows of a rotation, one after the other. */
type Rotation = readonly number[];

/** Where an arm is: its joints from the mount to the wrist, and its hand. */
export type ArmPose = {
	readonly points: readonly Point[];
	/** Between the fingers' ends. */
	readonly tip: Point;
	/** The fingers, each from the wrist to its end. */
	readonly fingers: readonly [Point, Point];
	/** How the hand is turned. */
	readonly hand: Rotation;
};

/**
 * Where an arm's parts are, by its joints' angles.
 *
 * @param angle of a dimension, in the robot's unit.
 * @param degree in the robot's unit.
 */
export function armPose(limb: Limb, angle: (dim: number) => number, degree: number): ArmPose {
	let at = limb.mount.at;
	let turned = turnedBy(identity, 'z', radians(limb.mount.turned));
	const points: Point[] = [at];
	for (const {turns, reach} of limb.links) {
		for (const turn of turns) {
			const degrees =
				'degrees' in turn
					? turn.degrees
					: (angle(limb.joints[turn.joint] as number) / degree) * (turn.sign ?? 1);
			turned = turnedBy(turned, turn.axis, radians(degrees));
		}
		at = placed(at, turned, [0, 0, reach]);
		points.push(at);
	}
	const {length, spread} = limb.fingers;
	const apart = (spread / 2) * (0.25 + 0.75 * openness(limb, angle));
	const tip = placed(at, turned, [0, 0, length]);
	const fingers = [apart, -apart].map(x => placed(at, turned, [x, 0, length])) as [Point, Point];
	return {points, tip, fingers, hand: turned};
}

/** How far a hand is open: 0 closed, 1 open. */
export function openness({grips}: Limb, angle: (dim: number) => number): number {
	let sum = 0;
	for (const {dim, open, closed} of grips) sum += (angle(dim) - closed) / (open - closed);
	return Math.max(0, Math.min(1, sum / grips.length));
}

/** A direction that turns with a hand: where it points after the hand has turned from one way to another. */
export function carried(direction: Point, from: Rotation, to: Rotation): Point {
	// By the inverse of the first rotation, its transpose, into the hand's own axes.
	const own = [0, 1, 2].map(
		column =>
			(from[column] as number) * direction[0] +
			(from[column + 3] as number) * direction[1] +
			(from[column + 6] as number) * direction[2],
	) as unknown as Point;
	return placed([0, 0, 0], to, own);
}

const identity: Rotation = [1, 0, 0, 0, 1, 0, 0, 0, 1];

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** A rotation followed by one about an axis of what it turned. */
function turnedBy(rotation: Rotation, axis: 'x' | 'y' | 'z', angle: number): Rotation {
	const cos = Math.cos(angle);
	const sin = Math.sin(angle);
	// The two columns that turn into each other; the axis' own stays.
	const [one, other] = axis === 'x' ? [1, 2] : axis === 'y' ? [2, 0] : [0, 1];
	const result = rotation.slice();
	for (let row = 0; row < 9; row += 3) {
		const a = rotation[row + one] as number;
		const b = rotation[row + other] as number;
		result[row + one] = a * cos + b * sin;
		result[row + other] = b * cos - a * sin;
	}
	return result;
}

function placed([x, y, z]: Point, r: Rotation, [a, b, c]: Point): Point {
	const [xa, xb, xc, ya, yb, yc, za, zb, zc] = r as unknown as [
		...[number, number, number],
		...[number, number, number],
		...[number, number, number],
	];
	return [x + xa * a + xb * b + xc * c, y + ya * a + yb * b + yc * c, z + za * a + zb * b + zc * c];
}
