import {hostile} from './hostile.ts';
import {type ChannelStatistics, type EpisodeSeed, Lake, type ReviewState, type Tier} from './lake.ts';

export type GeneratorOptions = {
	count: number;
	/** @default 1 */
	seed?: number;
	/** How many different tasks; a facet lists at most 512. @default 24 */
	tasks?: number;
	/** Strings a terminal must not obey, in every text field that may hold them. @default false */
	hostile?: boolean;
};

type Arm = {hash: string; dims: readonly string[]};

const joints = ['shoulder_pan', 'shoulder_lift', 'elbow_flex', 'wrist_flex', 'wrist_roll', 'gripper'];
const fingers = Array.from({length: 20}, (_, finger) => `finger_${finger}.pos`);

const arms: readonly Arm[] = [
	{hash: 'b7d1c6'.repeat(5), dims: joints.map(joint => `${joint}.pos`)},
	{
		hash: '03aa9e'.repeat(5),
		dims: ['left', 'right'].flatMap(side => [...joints, 'forearm_roll'].map(joint => `${side}_${joint}.pos`)),
	},
	{hash: 'e4f520'.repeat(5), dims: [...joints.map(joint => `${joint}.pos`), ...fingers]},
];

const verbs = ['fold', 'stack', 'pour', 'wipe', 'insert', 'open'];
const things = ['the towel', 'red cups', 'the drawer', 'a battery'];
const signatures = ['reach > grasp > place', 'reach > grasp', 'approach > wipe > retreat', null];
const reviews: readonly ReviewState[] = ['unreviewed', 'auto_accepted', 'human_audited', 'rejected'];
const labels = ['night', 'operator-2', 'new gripper', 'demo'];

/**
 * A lake that is the same for the same options: up to 60 datasets of three embodiments, every fifth
 * dataset made of children of the one before it.
 */
export function generateLake({
	count,
	seed = 1,
	tasks = 24,
	hostile: isHostile = false,
}: GeneratorOptions): Lake {
	const datasets = Math.min(60, Math.max(1, Math.round(count / 100)));
	const perDataset = Math.ceil(count / datasets) || 1;
	const armOf = (dataset: number): Arm => arms[dataset % arms.length] ?? {hash: '', dims: []};
	const names = Array.from({length: datasets}, (_, dataset) => datasetName(dataset));

	const seedAt = (row: number): EpisodeSeed => {
		const chance = (draw: number): number => noise(seed, row, draw);
		const dataset = Math.floor(row / perDataset);
		const index = row % perDataset;
		const arm = armOf(dataset);
		const frames = 120 + Math.floor(chance(0) * 900);
		const speed = 0.5 + 4 * chance(1);
		const taskNumber = (dataset * 7 + Math.floor(chance(2) * 3) * 5) % tasks;
		const isChild = dataset % 5 === 4;
		return {
			dataset_name: names[dataset] ?? '',
			episode_index: index,
			frame_count: frames,
			duration_seconds: frames / 30,
			task:
				chance(3) < 0.01
					? null
					: isHostile
						? hostile(row, 262_144)
						: taskName(spread(taskNumber, row, tasks)),
			tier: tierOf(chance(4)),
			quality_score: chance(5) < 0.02 ? null : Math.round(chance(6) * 1000) / 1000,
			interface_hash: isHostile && index % 3 === 0 ? hostile(row, 128) : arm.hash,
			tags: tagsOf(isHostile, row, chance(7)),
			review_state: reviews[Math.floor(chance(8) * reviews.length)] ?? 'unreviewed',
			marker_signature:
				isHostile && index % 2 === 0
					? hostile(row, 2048)
					: (signatures[Math.floor(chance(9) * signatures.length)] ?? null),
			...(isChild
				? {
						parent: {dataset_name: names[dataset - 1] ?? '', episode_index: index},
						member_ordinal: index % 4,
					}
				: {}),
			...(isHostile
				? {metrics: {[hostile(row, 200)]: hostile(row + 1, 4000), nested: {note: hostile(row + 2, 4000)}}}
				: {}),
			measured: {
				speed_mean: speed,
				jerk_mean: chance(10) * 900,
				frozen_action_dims: chance(11) < 0.03 ? arm.dims.length : Math.floor(chance(11) * 2),
				action_dims: arm.dims.length,
				frozen_state_dims: Math.floor(chance(12) * 2),
				state_dims: arm.dims.length,
				sync_skew_max_ms: chance(13) < 0.1 ? null : chance(13) * 40,
				sync_skew_ratio: chance(13) < 0.1 ? null : (chance(13) * 0.04 * 30) / frames,
				sparc: -3 - 5 * chance(14),
				ldlj: -6 - 12 * chance(15),
				psd_hf_ratio: chance(16) * 0.3,
				speed_p10: speed * 0.2,
				speed_p50: speed * 0.9,
				speed_p90: speed * 1.8,
				pause_fraction: chance(17) ** 3,
				pause_count: Math.floor(chance(18) * 6),
				dt_jitter_ms: chance(19) * 3,
				dt_dropped_frames: chance(20) < 0.05 ? Math.ceil(chance(20) * 100) : 0,
			},
		};
	};

	return new Lake(count, seedAt, (row, stream, channel): ChannelStatistics | undefined => {
		const native_index =
			stream === 'telemetry' ? -1 : armOf(Math.floor(row / perDataset)).dims.indexOf(channel);
		if (native_index < 0) return undefined;
		const draw = 100 + native_index * 8 + (stream === 'action' ? 0 : 4);
		const mean = noise(seed, row, draw) * 120 - 60;
		const std = noise(seed, row, draw + 1) * 20;
		return {
			stream,
			channel,
			native_channel: stream === 'action' ? `action.${channel}` : `observation.state.${channel}`,
			native_index,
			max: mean + std * (1 + noise(seed, row, draw + 2)),
			min: mean - std * (1 + noise(seed, row, draw + 3)),
			mean,
			std,
		};
	});
}

function datasetName(dataset: number): string {
	const verb = verbs[dataset % verbs.length] ?? 'fold';
	return `${verb}-lab${1 + (dataset % 3)}.${String(dataset).padStart(2, '0')}`;
}

function taskName(task: number): string {
	const verb = verbs[task % verbs.length] ?? 'fold';
	const thing = things[Math.floor(task / verbs.length) % things.length] ?? 'it';
	const round = Math.floor(task / (verbs.length * things.length));
	return round === 0 ? `${verb} ${thing}` : `${verb} ${thing}, variant ${round}`;
}

/** Beyond the usual two dozen, tasks follow the rows, so that as many appear as were asked for. */
function spread(task: number, row: number, tasks: number): number {
	return tasks > 24 ? row % tasks : task;
}

function tierOf(chance: number): Tier | null {
	if (chance < 0.8) return 'retrainable';
	return chance < 0.95 ? 'analyze_only' : null;
}

function tagsOf(isHostile: boolean, row: number, chance: number): readonly string[] {
	if (isHostile) return [hostile(row, 512), hostile(row + 5, 512)];
	if (chance < 0.7) return [];
	const first = Math.floor(chance * 1000) % labels.length;
	return labels.slice(first, first + 1 + (row % 2));
}

/** A number in [0, 1) that depends on nothing but its arguments (the finaliser of splitmix32). */
function noise(seed: number, row: number, draw: number): number {
	let mixed = (seed * 0x9e3779b9 + row * 0x85ebca6b + draw * 0xc2b2ae35) | 0;
	mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
	mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
	return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
}
