import type {MarkerForm} from '../lerobot/write-description.ts';
import {type Fault, type FaultCounts, placeFaults} from './faults.ts';
import {
	foldTowel,
	foldTowelBimanual,
	insertBattery,
	openDrawer,
	pickCube,
	pourCups,
	sortBottles,
	stackBlocks,
	type TaskProgram,
	wipeTable,
} from './tasks.ts';

/** Where the whole sample comes from. A change of what is written needs a new number. */
export const sampleSeed = 'lakescope sample 1';

/** How a dataset's episodes come from another's. */
type Derivation = {
	readonly parent: string;
	readonly by: 'trimming' | 'augmenting';
	/** Children of each parent. */
	readonly members: number;
};

/** A dataset of the sample. */
export type SampleDataset = {
	readonly name: string;
	readonly description: string;
	readonly program: TaskProgram;
	readonly episodes: number;
	readonly faults: FaultCounts;
	/** Where subtask markers are kept. @default nowhere */
	readonly markers?: readonly MarkerForm[];
	/** @default false */
	readonly telemetry?: boolean;
	readonly derivation?: Derivation;
	/** Kept small in some, so that they have several data files. */
	readonly dataFilesSizeInMb?: number;
};

/** The sample: simulated arms of three embodiments, most episodes healthy, some with a fault on purpose. */
export const sampleDatasets: readonly SampleDataset[] = [
	{
		name: 'so101-fold-towel-1',
		description: 'One arm folds a towel; subtasks marked.',
		program: foldTowel,
		episodes: 120,
		faults: {'long pauses': 4, 'too long': 3, 'too short': 2, 'never moves': 2, 'ends far off': 3, tremor: 2},
		markers: ['sparse'],
	},
	{
		name: 'so101-fold-towel-2',
		description: 'The same task on another day; the cameras ran out of step, and frames were dropped.',
		program: foldTowel,
		episodes: 80,
		faults: {'camera out of step': 4, 'dropped frames': 4, 'calibration offset': 4, tremor: 3},
		dataFilesSizeInMb: 2,
	},
	{
		name: 'so101-fold-towel-1-trimmed',
		description: 'so101-fold-towel-1 without idle starts and ends.',
		program: foldTowel,
		episodes: 75,
		faults: {},
		markers: ['sparse'],
		derivation: {parent: 'so101-fold-towel-1', by: 'trimming', members: 1},
	},
	{
		name: 'so101-pick-cube-1',
		description: 'One arm puts a cube in a box; subtasks marked densely.',
		program: pickCube,
		episodes: 220,
		faults: {
			'long pauses': 5,
			tremor: 4,
			'frozen dims': 4,
			'too short': 4,
			'never moves': 3,
			'ends far off': 3,
		},
		markers: ['dense'],
	},
	{
		name: 'so101-pick-cube-2',
		description: 'The same task, with the load and the temperature of the motors.',
		program: pickCube,
		episodes: 180,
		faults: {'dropped frames': 6, 'frozen dims': 3, 'too long': 4, 'long pauses': 3, truncated: 2},
		telemetry: true,
	},
	{
		name: 'so101-pick-cube-1-augmented',
		description:
			'Two variants of each of 75 episodes of so101-pick-cube-1: other tempo, other joint offsets.',
		program: pickCube,
		episodes: 150,
		faults: {},
		markers: ['dense'],
		derivation: {parent: 'so101-pick-cube-1', by: 'augmenting', members: 2},
	},
	{
		name: 'so101-wipe-table-1',
		description: 'One arm wipes a table with a sponge.',
		program: wipeTable,
		episodes: 100,
		faults: {'calibration offset': 5, 'long pauses': 3, 'ends far off': 2, 'dropped frames': 2},
	},
	{
		name: 'so101-stack-blocks-1',
		description: 'One arm stacks three blocks; every frame carries its subtask; the recording broke off.',
		program: stackBlocks,
		episodes: 90,
		faults: {truncated: 4, tremor: 3, 'too long': 2, 'frozen dims': 2},
		markers: ['frame'],
		dataFilesSizeInMb: 1,
	},
	{
		name: 'aloha-pour-cups-1',
		description: 'Two arms pour from one cup into another.',
		program: pourCups,
		episodes: 90,
		faults: {tremor: 4, 'camera out of step': 3, 'long pauses': 3, 'too short': 2},
		markers: ['sparse'],
	},
	{
		name: 'aloha-fold-towel-1',
		description: 'Two arms fold a towel.',
		program: foldTowelBimanual,
		episodes: 70,
		faults: {'frozen dims': 3, 'ends far off': 3, 'never moves': 1, 'too long': 2},
	},
	{
		name: 'aloha-insert-battery-1',
		description: 'Two arms put a battery into its slot.',
		program: insertBattery,
		episodes: 70,
		faults: {'dropped frames': 3, 'too short': 3, tremor: 2},
		dataFilesSizeInMb: 2,
	},
	{
		name: 'g1-sort-bottles-1',
		description: 'A humanoid with hands sorts bottles; subtasks marked.',
		program: sortBottles,
		episodes: 110,
		faults: {'long pauses': 3, 'frozen dims': 4, 'camera out of step': 4, 'ends far off': 2},
		markers: ['sparse', 'dense'],
	},
	{
		name: 'g1-open-drawer-1',
		description: 'A humanoid with hands opens a drawer.',
		program: openDrawer,
		episodes: 90,
		faults: {'never moves': 2, 'too short': 2, tremor: 3, truncated: 1},
	},
	{
		name: 'g1-sort-bottles-1-trimmed',
		description: 'g1-sort-bottles-1 without idle starts and ends.',
		program: sortBottles,
		episodes: 50,
		faults: {},
		markers: ['sparse', 'dense'],
		derivation: {parent: 'g1-sort-bottles-1', by: 'trimming', members: 1},
	},
];

/**
 * The faults planted in a dataset of the sample, by episode.
 */
export function plantedFaults({name, faults, episodes}: SampleDataset): ReadonlyMap<number, Fault> {
	return placeFaults(faults, episodes, `${sampleSeed}/${name}`);
}
