import type {DoubtTag} from '../../contract/local-explore.ts';
import type {ComparedEpisode} from './traits.ts';
import {figure, range, seconds} from './words.ts';

/** A figure of a whole episode that is set against its siblings'. */
export type WholeFigure = {
	/** @returns null where the episode has none */
	readonly of: (episode: ComparedEpisode) => number | null;
	/** Compared by its logarithm: what matters is how many times as much it is. */
	readonly ratio?: true;
	/** The least that its standard deviation is taken for: what differs by less differs by nothing. */
	readonly floor: number;
	/** By how much it must differ from the siblings' median to be worth a word. */
	readonly least: number;
	readonly above?: Finding;
	readonly below?: Finding;
};

type Words = (value: number, siblings: {median: number; low: number; high: number}) => string;
type Finding = {readonly tag: DoubtTag; readonly say: Words};

const times = (value: number, median: number) => `${figure(value / median)}×`;
const percent = (share: number) => `${Math.round(share * 100)} %`;

/** Ratios count from this factor on. */
const factor = Math.log;

const duration: Words = (value, {low, high}) => `${seconds(value)}, siblings ${range(low, high)}`;

export const wholeFigures: readonly WholeFigure[] = [
	{
		of: ({metrics}) => metrics.duration_s,
		ratio: true,
		floor: factor(1.05),
		least: factor(1.3),
		above: {tag: 'too-long', say: duration},
		below: {tag: 'too-short', say: duration},
	},
	{
		of: ({traits}) => traits.longestPause,
		floor: 0.15,
		least: 1,
		above: {
			tag: 'long-pause',
			say: (value, {high}) => `stands still for ${seconds(value)}, siblings up to ${seconds(high)}`,
		},
	},
	{
		of: ({metrics}) => metrics.jerk_mean,
		ratio: true,
		floor: factor(1.05),
		least: factor(1.4),
		above: {tag: 'jerky', say: (value, {median}) => `jerk ${times(value, median)} its siblings'`},
	},
	{
		of: ({metrics}) => metrics.psd_hf_ratio,
		floor: 0.01,
		least: 0.05,
		above: {
			tag: 'jerky',
			say: (value, {high}) =>
				`shakes: ${percent(value)} of its speed above 5 Hz, siblings up to ${percent(high)}`,
		},
	},
	{
		of: ({traits}) => traits.pathLength,
		ratio: true,
		floor: factor(1.05),
		least: factor(1.5),
		above: {
			tag: 'long-path',
			say: (value, {median}) => `moves ${times(value, median)} as far as its siblings`,
		},
		below: {
			tag: 'short-path',
			say: (value, {median}) => `moves ${times(value, median)} as far as its siblings`,
		},
	},
	{
		of: ({metrics}) => metrics.dt_dropped_frames,
		floor: 0.2,
		least: 1,
		above: {
			tag: 'dropped-frames',
			say: (value, {high}) =>
				`${value} ${value === 1 ? 'frame' : 'frames'} dropped${high > 0 ? `, siblings up to ${Math.ceil(high)}` : ''}`,
		},
	},
	{
		of: ({metrics}) => (metrics.sync_skew_max_ms === null ? null : metrics.sync_skew_max_ms / 1000),
		floor: 0.02,
		least: 0.1,
		above: {tag: 'out-of-step', say: value => `a camera is ${seconds(value)} out of step`},
	},
];
