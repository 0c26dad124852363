import {type ArmPose, armPose, carried, openness} from './arm.ts';
import {type Canvas, type Paint, Palette} from './canvas.ts';
import type {Limb, Point} from './robots.ts';
import type {TaskProgram, Thing} from './tasks.ts';

/** The arms' angles over an episode, frame after frame. */
export type Motion = {readonly pose: Float32Array; readonly length: number};

/** A while for which a hand holds something. */
type Grasp = {
	readonly limb: number;
	readonly from: number;
	readonly to: number;
	readonly start: ArmPose;
	readonly end: ArmPose;
};

type Placed = {readonly thing: Thing; readonly home: Point; readonly paints: readonly Paint[]};

/** How near to where a hand closes it closes again when it has missed: shares of the arm's length. */
const missedWithin = 0.2;

/** A task's table, and what its arms do on it, in metres. */
export class Workspace {
	/** The height of the table. */
	readonly floor: number;
	readonly palette = new Palette(common);
	readonly #program: TaskProgram;
	readonly #things: readonly Placed[];

	constructor(program: TaskProgram) {
		this.#program = program;
		const poses = posesAfter(program);
		const tips = program.moves.flatMap(({place, limbs}, move) =>
			place === 'home'
				? []
				: limbs.flatMap(({joints}, limb) => (joints ? [poses[move]?.[limb]?.tip[2] ?? 0] : [])),
		);
		this.floor = Math.min(...tips) - 0.02;
		this.#things = program.things.map(thing => {
			const [x, y] = poses[thing.after]?.[thing.limb]?.tip ?? [0, 0];
			const [besideX, besideY, above] = thing.beside ?? [0, 0, 0];
			return {thing, home: [x + besideX, y + besideY, this.floor + above], paints: this.#shades(thing.color)};
		});
	}

	#shades([red, green, blue]: Thing['color']): Paint[] {
		return [1, 0.82, 0.62].map(share => this.palette.mix(red * share, green * share, blue * share));
	}

	get limbs(): readonly Limb[] {
		return this.#program.robot.limbs;
	}

	/** The arms on a frame. */
	armsAt({pose}: Motion, frame: number): ArmPose[] {
		const {limbs, dims, degree} = this.#program.robot;
		const angle = (dim: number) => pose[frame * dims + dim] as number;
		return limbs.map(limb => armPose(limb, angle, degree));
	}

	/** The events on the table in an episode. */
	follow(motion: Motion): WorkspaceInTime {
		const grasps = this.limbs.flatMap((limb, place) => this.#grasps(motion, limb, place));
		return new WorkspaceInTime(
			this,
			motion,
			this.#things,
			grasps.sort((a, b) => a.from - b.from),
		);
	}

	/** From a hand's closing to its opening. One that closes for its way home holds nothing. */
	#grasps(motion: Motion, limb: Limb, place: number): Grasp[] {
		const {dims} = this.#program.robot;
		const isOpen = (frame: number) => openness(limb, dim => motion.pose[frame * dims + dim] as number) > 0.5;
		const spans: {from: number; to: number}[] = [];
		let before = isOpen(0);
		let from: number | undefined;
		for (let frame = 1; frame < motion.length; frame++) {
			const now = isOpen(frame);
			if (before && !now) from = frame;
			if (!before && now && from !== undefined) {
				spans.push({from, to: frame});
				from = undefined;
			}
			before = now;
		}
		if (from !== undefined && spans.length === 0) spans.push({from, to: motion.length});
		const reach = limb.links.reduce((sum, link) => sum + Math.abs(link.reach), 0);
		const grasps = spans.map(({from, to}): Grasp => {
			const [start, end] = [from, Math.min(to, motion.length - 1)].map(
				frame => this.armsAt(motion, frame)[place],
			);
			return {limb: place, from, to, start: start as ArmPose, end: end as ArmPose};
		});
		return grasps.filter(({start}, at) => {
			const next = grasps[at + 1]?.start.tip;
			return !next || Math.hypot(next[0] - start.tip[0], next[1] - start.tip[1]) > missedWithin * reach;
		});
	}
}

/** The poses of the arms after each move, as they are meant. */
function posesAfter({robot, moves}: TaskProgram): ArmPose[][] {
	const angles = new Float64Array(robot.dims);
	const set = (limb: number, joints: readonly number[]) => {
		for (const [joint, dim] of (robot.limbs[limb] as Limb).joints.entries()) {
			angles[dim] = (joints[joint] as number) * robot.degree;
		}
	};
	for (const [limb, joints] of robot.home.entries()) set(limb, joints);
	return moves.map(({limbs}) => {
		for (const [limb, {joints}] of limbs.entries()) if (joints) set(limb, joints);
		return robot.limbs.map(limb => armPose(limb, dim => angles[dim] as number, robot.degree));
	});
}

/** The colours that every workspace has. */
const common = new Palette();

/** The colours of the room and the arms. */
export const roomPaints = {
	wall: common.mix(203, 207, 212),
	table: common.mix(168, 152, 132),
	tableEdge: common.mix(140, 124, 106),
	shadow: common.mix(132, 118, 102),
	body: common.mix(96, 102, 116),
	bases: [common.mix(60, 63, 70), common.mix(64, 68, 82)],
	limbs: [common.mix(240, 136, 40), common.mix(46, 120, 190)],
	limbShades: [common.mix(206, 108, 26), common.mix(36, 96, 156)],
	joint: common.mix(44, 46, 52),
	finger: common.mix(26, 28, 32),
};

/** Turns points of a workspace into those of a picture. */
export type View = (point: Point) => readonly [x: number, y: number, scale: number];

/** The things of a workspace over an episode. */
class WorkspaceInTime {
	readonly #workspace: Workspace;
	readonly #motion: Motion;
	readonly #things: readonly Placed[];
	readonly #grasps: readonly Grasp[];

	constructor(workspace: Workspace, motion: Motion, things: readonly Placed[], grasps: readonly Grasp[]) {
		this.#workspace = workspace;
		this.#motion = motion;
		this.#things = things;
		this.#grasps = grasps;
	}

	armsAt(frame: number): ArmPose[] {
		return this.#workspace.armsAt(this.#motion, frame);
	}

	/** Draws what lies on the table, or what is held. */
	drawThings(canvas: Canvas, view: View, frame: number, arms: readonly ArmPose[], held: boolean): void {
		for (const [place, placed] of this.#things.entries()) {
			const {shape, held: when} = placed.thing;
			if (shape === 'cloth') {
				if (!held) drawCloth(canvas, view, this.#cornersAt(placed, frame, arms), placed.paints);
				continue;
			}
			const grasp = when === 'stays' ? undefined : this.#graspOf(place);
			const isHeld = grasp !== undefined && grasp.from <= frame && frame < grasp.to;
			if (isHeld !== held) continue;
			const {foot, up} = this.#footAt(placed, grasp, frame, arms);
			if (shape === 'cup') drawCup(canvas, view, foot, up, placed);
			else drawBlock(canvas, view, foot, placed);
		}
	}

	/** The first grasp of a limb is of its first thing, the next of the next one. */
	#graspOf(place: number): Grasp | undefined {
		const {limb} = (this.#things[place] as Placed).thing;
		const own = this.#things.filter(({thing}) => thing.limb === limb && thing.held !== 'stays');
		return this.#grasps.filter(grasp => grasp.limb === limb)[own.indexOf(this.#things[place] as Placed)];
	}

	/** The middle of a thing's lower side, and its upward direction. */
	#footAt(
		{thing, home}: Placed,
		grasp: Grasp | undefined,
		frame: number,
		arms: readonly ArmPose[],
	): {foot: Point; up: Point} {
		const upright: Point = [0, 0, 1];
		if (!grasp) return {foot: home, up: upright};
		const [x, y] = grasp.start.tip;
		const beside = thing.beside ?? [0, 0, 0];
		const start: Point = [x + beside[0], y + beside[1], home[2]];
		if (frame < grasp.from) return {foot: start, up: upright};
		const now = frame < grasp.to ? (arms[grasp.limb] as ArmPose) : grasp.end;
		if (thing.held === 'slides')
			return {foot: [start[0] + Math.min(0, now.tip[0] - x), start[1], start[2]], up: upright};
		const up = frame < grasp.to ? carried(upright, grasp.start.hand, now.hand) : upright;
		// It hangs from the fingers by as much as it reached below them on the table.
		const below = grasp.start.tip[2] - this.#workspace.floor;
		const foot: Point = [now.tip[0] - up[0] * below, now.tip[1] - up[1] * below, now.tip[2] - up[2] * below];
		return {foot: [foot[0], foot[1], Math.max(this.#workspace.floor, foot[2])], up};
	}

	/** A cloth's corners in turn: each grasp takes the nearest along, and leaves it on the table. */
	#cornersAt({thing, home}: Placed, frame: number, arms: readonly ArmPose[]): Point[] {
		const {floor} = this.#workspace;
		const on = ([x, y]: Point): Point => [x, y, floor];
		const [width, depth] = thing.size;
		const firsts = arms.map((_, limb) => this.#grasps.find(grasp => grasp.limb === limb)?.start.tip);
		const first = on(firsts[0] ?? home);
		const other: Point =
			arms.length > 1 ? on(firsts[1] ?? [first[0], -first[1], 0]) : [first[0], first[1] + depth, floor];
		const corners: Point[] = [
			first,
			other,
			[other[0] + width, other[1], floor],
			[first[0] + width, first[1], floor],
		];
		for (const grasp of this.#grasps) {
			if (frame < grasp.from) break;
			const distances = corners.map(([x, y]) => Math.hypot(x - grasp.start.tip[0], y - grasp.start.tip[1]));
			const taken = distances.indexOf(Math.min(...distances));
			corners[taken] = frame < grasp.to ? (arms[grasp.limb] as ArmPose).tip : on(grasp.end.tip);
		}
		return corners;
	}
}

function drawBlock(canvas: Canvas, view: View, [x, y, z]: Point, {thing, paints}: Placed): void {
	const [depth, width, height] = thing.size;
	const corner = (ahead: number, left: number, up: number) =>
		view([x + (ahead * depth) / 2, y + (left * width) / 2, z + up * height]);
	const face = (corners: readonly ReturnType<View>[], of: Paint | undefined) => {
		const flat: number[] = [];
		for (const [across, down] of corners) flat.push(across, down);
		const [ax, ay, bx, by, cx, cy] = flat as [number, number, number, number, number, number];
		// Sides that are turned away go round the other way.
		if (of && (bx - ax) * (cy - ay) < (by - ay) * (cx - ax)) canvas.polygon(flat, of);
	};
	for (const side of [1, -1] as const) {
		face(
			[corner(side, -side, 0), corner(side, side, 0), corner(side, side, 1), corner(side, -side, 1)],
			paints[1],
		);
		face(
			[corner(side, side, 0), corner(-side, side, 0), corner(-side, side, 1), corner(side, side, 1)],
			paints[2],
		);
	}
	face([corner(1, 1, 1), corner(-1, 1, 1), corner(-1, -1, 1), corner(1, -1, 1)], paints[0]);
}

function drawCup(canvas: Canvas, view: View, foot: Point, up: Point, {thing, paints}: Placed): void {
	const [width, , height] = thing.size;
	const along = (share: number): Point => [
		foot[0] + up[0] * height * share,
		foot[1] + up[1] * height * share,
		foot[2] + up[2] * height * share,
	];
	const at = (share: number): readonly [number, number, number] => {
		const [x, y, scale] = view(along(share));
		return [x, y, (scale * width) / 2];
	};
	canvas.line(at(0.2), at(0.85), paints[1] as Paint);
	const [x, y, radius] = at(0.95);
	canvas.disc(x, y, radius * 0.8, paints[0] as Paint);
}

function drawCloth(canvas: Canvas, view: View, corners: readonly Point[], paints: readonly Paint[]): void {
	const middle = [0, 1, 2].map(
		axis => corners.reduce((sum, corner) => sum + (corner[axis] as number), 0) / corners.length,
	) as unknown as Point;
	const seen = corners.map(view);
	const [x, y] = view(middle);
	for (const [place, one] of seen.entries()) {
		const next = seen[(place + 1) % seen.length] as readonly [number, number, number];
		canvas.polygon([x, y, one[0], one[1], next[0], next[1]], paints[place % 2] as Paint);
	}
}
