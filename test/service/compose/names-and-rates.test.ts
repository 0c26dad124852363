import {readFile} from 'node:fs/promises';
import path from 'node:path';
import {expect, test} from 'vitest';
import {composeDataset} from '../../../source/service/compose/compose-dataset.ts';
import {damagesOf} from '../../lerobot/check/checked-dataset.ts';
import {editInfo} from '../../support/dataset-damage.ts';
import {writeLerobotDataset} from '../../support/lerobot-dataset.ts';
import {ingest, inWorkFolders} from '../ingest/ingest-run.ts';
import {chosen} from './chosen.ts';

let root: string;
inWorkFolders(folder => {
	root = folder.root;
});

const joints = ['J1 [deg]', 'J2 [deg]', 'grip (mm)'];

test.each([
	{fps: 29.97, names: {motors: joints}, native: joints},
	{fps: 15, names: [joints], native: joints},
	{fps: 12.5, names: {'J1 [deg]': 0, 'J2 [deg]': 1, 'grip (mm)': 2}, native: joints},
	{fps: 50, names: null, native: ['action.0', 'action.1', 'action.2']},
	{fps: 10, names: ['x', 'y'], native: ['action.0', 'action.1', 'action.2']},
])(
	'joints and rates are those of the dataset, through ingest and compose: $fps fps, names $names',
	async odd => {
		const folder = path.join(root, 'odd');
		await writeLerobotDataset(folder, {fps: odd.fps, names: joints, episodes: [{frames: 40}, {frames: 60}]});
		await editInfo(folder, info => {
			const features = info.features as Record<string, object>;
			features.action = {...features.action, names: odd.names};
		});
		const {episodes, channels, dataset, messages} = await ingest(folder, root);
		expect(messages).toEqual([]);
		expect(dataset.fps).toBe(odd.fps);
		expect(episodes.map(({duration_s, dt_dropped_frames}) => [duration_s, dt_dropped_frames])).toEqual([
			[40 / odd.fps, 0],
			[60 / odd.fps, 0],
		]);
		const ofAction = channels.filter(({stream, episode_index}) => stream === 'action' && episode_index === 0);
		expect(
			ofAction
				.sort((a, b) => Number(a.native_index) - Number(b.native_index))
				.map(({native_channel}) => native_channel),
		).toEqual(odd.native);
		const target = path.join(root, 'made', 'whole');
		const parents = [await chosen(root, 'odd', [1])];
		await composeDataset({target, name: 'whole', left_out: [], parents}, () => undefined, undefined);
		const info = JSON.parse(await readFile(path.join(target, 'meta/info.json'), 'utf8'));
		expect([info.fps, info.features.action.names]).toEqual([odd.fps, odd.names]);
		const harmful = (await damagesOf(target)).filter(({severity}) => severity.startsWith('training'));
		expect(harmful).toEqual([]);
	},
);
