import {writeDataset} from '../../../source/lerobot/write-dataset.ts';
import type {EpisodeToWrite} from '../../../source/lerobot/write-description.ts';

const fps = 30;
const names = ['shoulder.pos', 'gripper.pos'];

function episode(frames: number, phase: number): EpisodeToWrite {
	const values = new Float32Array(frames * names.length);
	for (let frame = 0; frame < frames; frame++) {
		values[frame * 2] = 40 * Math.sin(phase + frame / 20);
		values[frame * 2 + 1] = 20 * Math.cos(phase + frame / 15);
	}
	return {
		length: frames,
		tasks: ['Push the block'],
		values: {action: values, 'observation.state': values},
		videos: {},
	};
}

/** Writes a whole dataset of an arm that moves, and returns its folder. */
export async function smallDataset(
	folder: string,
	{episodes = 2, frames = 60}: {episodes?: number; frames?: number} = {},
): Promise<string> {
	const feature = {dtype: 'float32', shape: [names.length], names};
	await writeDataset(
		folder,
		{robotType: 'pusher', fps, features: {action: feature, 'observation.state': feature}},
		Array.from({length: episodes}, (_, index) => episode(frames, index)),
	);
	return folder;
}
