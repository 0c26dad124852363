import {writeFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {programHome} from '../commands/support/program.ts';
import {writeLerobotDataset} from '../support/lerobot-dataset.ts';
import {explore, isFresh} from './support.ts';

const home = programHome();
const camera = 'observation.images.front';

test('quitting names the work that the embedded service continues, and it continues', async () => {
	const env = {
		LAKESCOPE_LAKE: home.at('lake'),
		LAKESCOPE_REHEARSAL_MS: '600000',
		LAKESCOPE_TRAINER: undefined,
	};
	async function post(path: string, body: unknown) {
		const file = home.at('body.json');
		writeFileSync(file, JSON.stringify(body));
		const {stdout, stderr} = await home.run(['api', 'POST', path, '--input', file], env);
		expect(stderr).toBe('');
		return JSON.parse(stdout);
	}
	const folder = home.at('cups');
	await writeLerobotDataset(folder, {cameras: [camera]});
	expect(await home.run(['ingest', folder], env)).toMatchObject({code: 0});
	const {project_id} = await post('/v1/projects', {name: 'tests'});
	const order = {
		project_id,
		vla_type: 'act',
		dataset_id: 'local/cups',
		hours: 1,
		camera_mappings: {front: camera},
	};
	const {job_id} = await post('/v1/finetune', order);

	const explorer = explore(home, [], {cols: 160, rows: 40, env});
	await explorer.until(isFresh, 'the lake');
	explorer.press('3');
	await explorer.untilText('● running');
	explorer.press('q');
	expect((await explorer.untilExit()).code).toBe(0);
	const screen = await explorer.settled();
	expect(screen.isAlternate).toBe(false);
	expect(screen.text).toContain('Continues without the explorer: the job act on cups.');

	const {stdout} = await home.run(['api', 'GET', `/v1/finetune/${job_id}`], env);
	expect(JSON.parse(stdout).status).toBe('running');
});
