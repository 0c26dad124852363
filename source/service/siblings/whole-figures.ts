import type {SuspectTag} from '../../contract/local-explore.ts';
import type {ComparedEpisode} from './traits.ts';
import {figure, range, seconds} from './words.ts';

/** A figure of a whole episode, compared with that of its siblings. */
export type WholeFigure = {
	/** @returns null where the episode has none */
	readonly of: (episode: ComparedEpisode) => number | null;
	/** Compared by its logarithm: the ratio counts, not the difference. */
	readonly ratio?: true;
	/** The lowest standard deviation assumed, so that siblings that are all alike make no small difference a large one. */
	readonly floor: number;
	/** It is reported only where it differs from the siblings' median by this much. */
	readonly least: number;
	readonly above?: Finding;
	readonly below?: Finding;
};

/** @param siblings their median, and their 5th and 95th percentile */
type Words = (value: number, siblings: {median: number; low: number; high: number}) => string;
type Finding = {readonly tag: SuspectTag; readonly say: Words};

const times = (value: number, median: number) => `${figure(value / median)}×`;
const percent = (share: number) => `${Math.round(share * 100)} %`;

/** Bounds of ratios are given as factors. */
const factor = Math.log;

const duration: Words = (value, {low, high}) =>
	`${seconds(value)}; 90 % of siblings take ${range(low, high)} s`;

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
			say: (value, {high}) =>
				`stands still for ${seconds(value)}; 95 % of siblings for at most ${seconds(high)}`,
		},
	},
	{
		of: ({metrics}) => metrics.jerk_mean,
		ratio: true,
		floor: factor(1.05),
		least: factor(1.4),
		above: {tag: 'jerky', say: (value, {median}) => `jerk is ${times(value, median)} the siblings' median`},
	},
	{
		of: ({metrics}) => metrics.psd_hf_ratio,
		floor: 0.01,
		least: 0.05,
		above: {
			tag: 'jerky',
			say: (value, {high}) =>
				`shakes: ${percent(value)} of its speed is above 5 Hz; at most ${percent(high)} in 95 % of siblings`,
		},
	},
	{
		of: ({traits}) => traits.pathLength,
		ratio: true,
		floor: factor(1.05),
		least: factor(1.5),
		above: {
			tag: 'long-path',
			say: (value, {median}) => `moves ${times(value, median)} the distance of the median sibling`,
		},
		below: {
			tag: 'short-path',
			say: (value, {median}) => `moves ${times(value, median)} the distance of the median sibling`,
		},
	},
	{
		of: ({metrics}) => metrics.dt_dropped_frames,
		floor: 0.2,
		least: 1,
		above: {
			tag: 'dropped-frames',
			say: (value, {high}) =>
				`${value} ${value === 1 ? 'frame' : 'frames'} dropped; ${
					high > 0 ? `at most ${Math.ceil(high)} in 95 % of siblings` : 'none in 95 % of siblings'
				}`,
		},
	},
	{
		of: ({metrics}) => (metrics.sync_skew_max_ms === null ? null : metrics.sync_skew_max_ms / 1000),
		floor: 0.02,
		least: 0.1,
		above: {
			tag: 'out-of-step',
			say: (value, {high}) =>
				`a camera is ${seconds(value)} out of step; at most ${seconds(high)} in 95 % of siblings`,
		},
	},
];
