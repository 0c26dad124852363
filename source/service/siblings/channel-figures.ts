import type {SuspectTag} from '../../contract/local-explore.ts';
import type {ComparedEpisode} from './traits.ts';
import {channelList, figure, range} from './words.ts';

/** A figure of one channel that is unlike its siblings'; `low` and `high` are their 5th and 95th percentile. */
export type OddChannel = {
	readonly name: string;
	readonly value: number;
	readonly siblings: {readonly low: number; readonly high: number; readonly median: number};
};

/** A figure of each channel of an episode, compared with that of its siblings. */
export type ChannelFigure = {
	readonly of: (episode: ComparedEpisode) => Float32Array | null;
	/** The stream that the channels are of. */
	readonly stream: 'action' | 'poses';
	/** As in `WholeFigure`, in shares of the channel's usual range among the siblings (`notable-ranges.ts`). */
	readonly floor: number;
	readonly least: number;
	/** Channels that never move are left out: `frozen` reports them. */
	readonly moving?: true;
	readonly tag: SuspectTag;
	/** @param odd the oddest first */
	readonly say: (odd: readonly OddChannel[]) => string;
};

/** Says it of the oddest channel, with its figures, and how many others there are. */
function oddest(say: (channel: OddChannel, name: string) => string): ChannelFigure['say'] {
	return ([first, ...others]) => {
		if (!first) return '';
		const words = say(first, channelList([first.name]));
		if (others.length === 0) return words;
		return `${words} (${others.length} more ${others.length === 1 ? 'channel' : 'channels'} too)`;
	};
}

const most = ({siblings: {low, high}}: OddChannel) => range(low, high);

/** @param sign of the direction in which the channel goes */
function reaches(word: string, sign: number): ChannelFigure['say'] {
	return oddest((channel, name) => {
		const {value, siblings} = channel;
		const only = sign * (value - siblings.median) < 0 ? 'only ' : '';
		return `${name} goes ${word} ${only}to ${figure(value)}; 90 % of siblings reach ${most(channel)}`;
	});
}

export const channelFigures: readonly ChannelFigure[] = [
	{
		of: ({start}) => start,
		stream: 'poses',
		floor: 0.02,
		least: 0.15,
		tag: 'far-start',
		say: oddest(
			(channel, name) =>
				`${name} starts far off at ${figure(channel.value)}; 90 % of siblings start at ${most(channel)}`,
		),
	},
	{
		of: ({end}) => end,
		stream: 'poses',
		floor: 0.02,
		least: 0.15,
		tag: 'far-end',
		say: oddest(
			(channel, name) =>
				`${name} ends far off at ${figure(channel.value)}; 90 % of siblings end at ${most(channel)}`,
		),
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
		say: oddest(({value, siblings: {low, high}}, name) => {
			const usual = figure(Math.max(Math.abs(low), Math.abs(high)));
			return `${name} rests ${figure(Math.abs(value))} off its leader; 90 % of siblings ${usual === '0' ? 'do not' : `within ${usual}`}: recalibrate?`;
		}),
	},
];
