import type {ArmPose} from './arm.ts';
import {Canvas, type Paint, type Palette} from './canvas.ts';
import {type Camera, type Limb, type Point, pictureSize, type SampleRobot} from './robots.ts';
import {type Motion, roomPaints, type View, type Workspace} from './workspace.ts';

const {
	wall,
	table,
	tableEdge,
	shadow,
	body,
	bases,
	limbs: limbPaints,
	limbShades,
	joint,
	finger,
} = roomPaints;

/** A camera's view of a robot at its task. */
export class CameraPicture {
	readonly canvas = new Canvas(pictureSize);
	readonly #robot: SampleRobot;
	readonly #workspace: Workspace;
	readonly #view: View;
	/** The room without what moves. */
	readonly #room: Uint8Array;

	constructor(robot: SampleRobot, camera: Camera, workspace: Workspace) {
		this.#robot = robot;
		this.#workspace = workspace;
		this.#view = viewOf(camera, workspace.floor);
		this.#drawRoom();
		this.#room = this.canvas.data.slice();
	}

	get palette(): Palette {
		return this.#workspace.palette;
	}

	/** @returns draws a frame of the episode */
	follow(motion: Motion): (frame: number) => void {
		const episode = this.#workspace.follow(motion);
		return frame => {
			const arms = episode.armsAt(frame);
			this.canvas.data.set(this.#room);
			for (const arm of arms) this.#drawShadow(arm);
			episode.drawThings(this.canvas, this.#view, frame, arms, false);
			// The farther arm first.
			const order = [...arms.entries()].sort(([, a], [, b]) => this.#nearness(a) - this.#nearness(b));
			for (const [limb, arm] of order) this.#drawArm(limb, arm);
			episode.drawThings(this.canvas, this.#view, frame, arms, true);
			for (const [, arm] of order) this.#drawFingers(arm);
		};
	}

	#drawRoom(): void {
		const {width, height} = this.canvas;
		const {floor} = this.#workspace;
		this.canvas.polygon([0, 0, width, 0, width, height, 0, height], wall);
		const [middle, half] = this.#robot.table;
		const corners = (z: number) =>
			[
				[1, 1],
				[1, -1],
				[-1, -1],
				[-1, 1],
			].flatMap(([ahead, left]) =>
				this.#view([middle[0] + (ahead ?? 0) * half[0], middle[1] + (left ?? 0) * half[1], z]).slice(0, 2),
			);
		this.canvas.polygon(corners(floor - 0.03), tableEdge);
		this.canvas.polygon(corners(floor), table);
		const {body: trunk} = this.#robot;
		if (trunk) {
			this.canvas.line(this.#ball(trunk.from, trunk.width), this.#ball(trunk.to, trunk.width), body);
			const [x, y, z] = trunk.to;
			const [headX, headY, radius] = this.#ball([x, y, z + 0.2], 0.14);
			this.canvas.disc(headX, headY, radius, bases[0] as Paint);
		}
	}

	#ball(point: Point, width: number): readonly [number, number, number] {
		const [x, y, scale] = this.#view(point);
		return [x, y, (width * scale) / 2];
	}

	#nearness({points}: ArmPose): number {
		return this.#view(points[1] as Point)[2];
	}

	#drawShadow({points, tip}: ArmPose): void {
		const {floor} = this.#workspace;
		const flat = [...points.slice(1), tip].map(([x, y]) => this.#ball([x, y, floor], 0.03));
		for (const [place, to] of flat.slice(1).entries()) {
			this.canvas.line(flat[place] as readonly [number, number, number], to, shadow);
		}
	}

	#drawArm(limb: number, {points}: ArmPose): void {
		const {links} = this.#workspace.limbs[limb] as Limb;
		for (const [place, {width}] of links.entries()) {
			const from = points[place] as Point;
			const to = points[place + 1] as Point;
			const isBase = place === 0 && this.#robot.body === undefined;
			const colors = isBase ? bases : place % 2 === 1 ? limbPaints : limbShades;
			const last = place === links.length - 1;
			this.canvas.line(
				this.#ball(from, width),
				this.#ball(to, last ? width : width * 0.85),
				colors[limb] as Paint,
			);
			if (place > 0) this.canvas.disc(...this.#ball(from, width * 0.9), joint);
		}
	}

	#drawFingers({points, fingers}: ArmPose): void {
		const wrist = points.at(-1) as Point;
		for (const end of fingers) {
			// From the side of the hand on.
			const side = wrist.map(
				(value, axis) => value + ((end[axis] as number) - value) * 0.15,
			) as unknown as Point;
			this.canvas.line(this.#ball(side, 0.022), this.#ball(end, 0.018), finger);
		}
	}
}

/** Points as a camera sees them, whose heights are over the table. */
function viewOf({at, looksAt, focus}: Camera, floor: number): View {
	const {width, height} = pictureSize;
	const eye: Point = [at[0], at[1], at[2] + floor];
	const ahead = unit([looksAt[0] - at[0], looksAt[1] - at[1], looksAt[2] - at[2]]);
	const right = unit([ahead[1], -ahead[0], 0]);
	const down: Point = [
		ahead[1] * right[2] - ahead[2] * right[1],
		ahead[2] * right[0] - ahead[0] * right[2],
		ahead[0] * right[1] - ahead[1] * right[0],
	];
	return ([x, y, z]) => {
		const from: Point = [x - eye[0], y - eye[1], z - eye[2]];
		const scale = (focus * width) / Math.max(0.05, dot(from, ahead));
		return [width / 2 + dot(from, right) * scale, height / 2 + dot(from, down) * scale, scale];
	};
}

const dot = (a: Point, b: Point) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

function unit(vector: Point): Point {
	const length = Math.sqrt(dot(vector, vector));
	return [vector[0] / length, vector[1] / length, vector[2] / length];
}
