import type {Feature} from '../../../source/lerobot/info.ts';
import {writeDataset} from '../../../source/lerobot/write-dataset.ts';
import type {EpisodeToWrite, VideoSpan} from '../../../source/lerobot/write-description.ts';

const fps = 30;
const names = ['shoulder_pan.pos', 'elbow_flex.pos', 'gripper.pos'];

/** What an episode of {@link armDataset} is; each differs a little from the next, as people's do. */
export type ArmEpisode = {
	/** @default 4 */
	readonly seconds?: number;
	/** @default 60 */
	readonly reach?: number;
	/** By how much the follower's elbow reads less. @default 0 */
	readonly offset?: number;
	/** @default Push the block */
	readonly task?: string;
};

function written(
	{seconds = 4, reach = 60, offset = 0, task = 'Push the block'}: ArmEpisode,
	videos: EpisodeToWrite['videos'],
): EpisodeToWrite {
	const frames = Math.round(seconds * fps);
	const action = Float32Array.from({length: frames * 3}, (_, place) => {
		const share = Math.min(1, Math.max(0, (Math.floor(place / 3) / (frames - 1) - 0.15) / 0.7));
		const bow = Math.sin(Math.PI * share) ** 2;
		return [reach * bow, 90 - 40 * bow, 5 + 30 * bow][place % 3] ?? 0;
	});
	const state = action.map((value, place) => (place % 3 === 1 ? value - offset : value));
	return {length: frames, tasks: [task], values: {action, 'observation.state': state}, videos};
}

/** `count` episodes that differ from each other by little, each in its own way. */
export const siblings = (count: number): ArmEpisode[] =>
	Array.from({length: count}, (_, at) => ({seconds: 3.8 + (at % 5) / 10, reach: 58 + (at % 7) + at / 100}));

/** Writes a dataset of an arm that reaches out and back, with video spans where there are cameras. */
export async function armDataset(
	folder: string,
	episodes: readonly ArmEpisode[],
	{cameras = [] as readonly string[], robotType = 'so101_follower'} = {},
): Promise<string> {
	const vector: Feature = {dtype: 'float32', shape: [names.length], names};
	const picture: Feature = {dtype: 'video', shape: [48, 64, 3], names: ['height', 'width', 'channels']};
	let end = 0;
	const spans = ({seconds = 4}: ArmEpisode): Record<string, VideoSpan> => {
		const span = {
			chunkIndex: 0,
			fileIndex: 0,
			fromTimestamp: end,
			toTimestamp: end + Math.round(seconds * fps) / fps,
		};
		end = span.toTimestamp;
		return Object.fromEntries(cameras.map(camera => [camera, span]));
	};
	await writeDataset(
		folder,
		{
			robotType,
			fps,
			features: {
				action: vector,
				'observation.state': vector,
				...Object.fromEntries(cameras.map(camera => [camera, picture])),
			},
		},
		episodes.map(episode => written(episode, spans(episode))),
	);
	return folder;
}
