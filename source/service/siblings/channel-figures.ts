import type {DoubtTag} from '../../contract/local-explore.ts';
import type {ComparedEpisode} from './traits.ts';
import {channelList, figure, range} from './words.ts';

/** What one channel of an episode is, where that is unlike its siblings. */
export type OddChannel = {
	readonly name: string;
	readonly value: number;
	readonly siblings: {readonly low: number; readonly high: number; readonly median: number};
};

/** A figure that each channel of an episode has, set against that of its siblings. */
export type ChannelFigure = {
	readonly of: (episode: ComparedEpisode) => Float32Array | null;
	/** Whose channels they are. */
	readonly stream: 'action' | 'poses';
	/** As shares of the range that the siblings usually go through in that channel, or in those that move much. */
	readonly floor: number;
	readonly least: number;
	/** Whether a channel that never moves is left out: that is said by itself. */
	readonly moving?: true;
	readonly tag: DoubtTag;
	/** @param odd the oddest first */
	readonly say: (odd: readonly OddChannel[]) => string;
};

const names = (odd: readonly OddChannel[]) => channelList(odd.map(({name}) => name));

/** @param sign of the direction in which the channel goes */
function reaches(word: string, sign: number): ChannelFigure['say'] {
	return odd => {
		const [first] = odd;
		if (!first) return '';
		const {value, siblings} = first;
		const more = odd.length > 1 ? `, and ${odd.length - 1} more` : '';
		const only = sign * (value - siblings.median) < 0 ? 'only ' : '';
		return `goes ${word} ${only}to ${figure(value)} in ${channelList([first.name])}, siblings ${range(siblings.low, siblings.high)}${more}`;
	};
}

export const channelFigures: readonly ChannelFigure[] = [
	{
		of: ({start}) => start,
		stream: 'poses',
		floor: 0.02,
		least: 0.15,
		tag: 'far-start',
		say: odd => `starts far off in ${names(odd)}`,
	},
	{
		of: ({end}) => end,
		stream: 'poses',
		floor: 0.02,
		least: 0.15,
		tag: 'far-end',
		say: odd => `ends far off in ${names(odd)}`,
	},
	{
		of: ({lowest}) => lowest,
		stream: 'action',
		floor: 0.03,
		least: 0.3,
		moving: true,
		tag: 'odd-range',
		say: reaches('down', -1),
	},
	{
		of: ({highest}) => highest,
		stream: 'action',
		floor: 0.03,
		least: 0.3,
		moving: true,
		tag: 'odd-range',
		say: reaches('up', 1),
	},
	{
		of: ({offsets}) => offsets,
		stream: 'action',
		floor: 0.006,
		least: 0.03,
		tag: 'off-leader',
		say: odd =>
			`follower ${figure(Math.abs(odd[0]?.value ?? 0))} off leader at rest in ${names(odd)}: recalibrate?`,
	},
];
