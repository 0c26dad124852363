import {expect, test} from 'vitest';
import {smallDataset} from '../service/support/small-dataset.ts';
import {earlierLakes, knowsReviews, unpackEarlierLake} from '../support/earlier-lakes.ts';
import {programHome} from './support/program.ts';

const home = programHome();

test('there are lakes of five earlier versions to open', () => {
	expect(earlierLakes).toHaveLength(5);
});

test.each(earlierLakes)(
	'a lake from %s opens: its episodes, filters, reviews, records and re-ingest',
	async name => {
		const lake = unpackEarlierLake(name, home.at(`lake-${name}`));
		const episodes = async (...filter: string[]) => {
			const {code, stdout, stderr} = await home.run(['episodes', '--lake', lake, '--json', ...filter]);
			expect({code, stderr}).toEqual({code: 0, stderr: ''});
			return JSON.parse(stdout) as {total: number; episodes: Array<Record<string, unknown>>};
		};
		const all = await episodes();
		expect(all.episodes.map(({dataset_name, episode_index}) => `${dataset_name}/${episode_index}`)).toEqual([
			'hands/0',
			'hands/1',
			'hands/2',
			'push/0',
			'push/1',
			'push/2',
		]);
		expect((await episodes('duration_s>1.5', 'speed_mean>0')).total).toBe(3);
		// The highest of forty channels lies beyond the slots that every episode's row has room for.
		expect((await episodes('max(state.joint_19.pos)>20')).total).toBe(3);
		expect((await episodes('max(action.gripper.pos)>0')).total).toBe(3);
		expect((await episodes('review:rejected')).total).toBe(knowsReviews(name) ? 1 : 0);
		const records = await home.run(['api', 'GET', '/local/v1/ingests', '--lake', lake]);
		expect(JSON.parse(records.stdout).items).toMatchObject([
			{dataset_name: 'hands', status: {phase: 'finalized', episode_count: 3}},
			{dataset_name: 'push', status: {phase: 'finalized', episode_count: 3}},
		]);

		const again = await smallDataset(home.at(`again-${name}`, 'push'), {episodes: 4});
		const ingest = await home.run(['ingest', '--lake', lake, again]);
		expect(ingest).toMatchObject({code: 0});
		expect(ingest.stdout).toContain('push: 4 episodes, 240 frames');
		expect((await episodes('dataset:push')).total).toBe(4);
		expect((await episodes('max(state.joint_19.pos)>20')).total).toBe(3);
	},
);
