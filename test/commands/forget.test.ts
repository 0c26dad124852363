import {existsSync} from 'node:fs';
import {writeFile} from 'node:fs/promises';
import path from 'node:path';
import {expect, inject, test} from 'vitest';
import {startHostedService} from '../hosted-service/server.ts';
import {smallDataset} from '../service/support/small-dataset.ts';
import {writeLerobotDataset} from '../support/lerobot-dataset.ts';
import {startInPty} from '../support/pty.ts';
import {standIn} from '../support/trainer/stand-in.ts';
import {programHome} from './support/program.ts';

const home = programHome();
const env = {LAKESCOPE_TRAINER: standIn, LAKESCOPE_JOB_RETRY_MS: '50', LAKESCOPE_JOB_END_MS: '300'};

async function total(lake: string, ...filter: string[]): Promise<number> {
	const {stdout} = await home.run(['episodes', '--lake', lake, '--json', ...filter], env);
	return (JSON.parse(stdout) as {total: number}).total;
}

async function post<Answer>(lake: string, route: string, body: object): Promise<Answer> {
	const input = home.at('body.json');
	await writeFile(input, JSON.stringify(body));
	const {stdout} = await home.run(['api', 'POST', route, '--lake', lake, '--input', input], env);
	return JSON.parse(stdout) as Answer;
}

test('a forgotten dataset leaves the lake, its folder stays, and its reviews come back with it', async () => {
	const lake = home.at('lake');
	const folder = await smallDataset(home.at('push'), {episodes: 3});
	await smallDataset(home.at('other'), {episodes: 1, frames: 50});
	await home.run(['ingest', '--lake', lake, folder, home.at('other')]);
	const {stdout} = await home.run(['episodes', '--lake', lake, '--json', 'dataset:push', 'index:1']);
	const [episode] = (JSON.parse(stdout) as {episodes: Array<{episode_id: string}>}).episodes;
	await post(lake, '/local/v1/reviews', {episode_ids: [episode?.episode_id], review_state: 'rejected'});

	const unasked = await home.run(['forget', '--lake', lake, 'push']);
	expect(unasked).toMatchObject({code: 2, stderr: expect.stringContaining('--yes')});
	const readOnly = await home.run(['forget', '--lake', lake, '--yes', '--read-only', 'push']);
	expect(readOnly).toMatchObject({code: 2, stderr: expect.stringContaining('read-only')});
	const unknown = await home.run(['forget', '--lake', lake, '--yes', 'pull']);
	expect(unknown).toMatchObject({code: 2, stderr: expect.stringContaining('no dataset "pull"')});
	expect(await total(lake)).toBe(4);

	const forgotten = await home.run(['forget', '--lake', lake, '--yes', 'local/push']);
	expect(forgotten).toMatchObject({
		code: 0,
		stdout: 'push is forgotten: 3 episodes; its files stay where they are.\n',
		stderr: `push: 3 episodes leave the lake.
The folder ${folder} is not the lake's own and is not touched: lakescope ingest brings it back.
1 review of its recordings is kept for when they are ingested again.
`,
	});
	expect(existsSync(path.join(folder, 'meta', 'info.json'))).toBe(true);
	expect(await total(lake)).toBe(1);
	expect((await home.run(['datasets', '--lake', lake])).stdout).not.toContain('push');
	await home.run(['ingest', '--lake', lake, folder]);
	expect(await total(lake, 'dataset:push', 'review:rejected')).toBe(1);
});

test('a copy that the lake made is named and deleted; on a terminal it is asked for first', async () => {
	const lake = home.at('lake-copies');
	await smallDataset(home.at('parent'), {episodes: 3});
	await home.run(['ingest', '--lake', lake, home.at('parent')]);
	const made = await home.run(['compose', '--lake', lake, 'best', 'index:1']);
	const folder = made.stdout.trimEnd().split(' in ').at(-1) ?? '';
	expect(existsSync(folder)).toBe(true);
	const ask = () =>
		startInPty(process.execPath, [inject('cli'), 'forget', '--lake', lake, 'best'], {
			cols: 200,
			rows: 24,
			cwd: home.root,
			env: home.env,
		});
	const left = ask();
	await left.untilText('Forget best? [y/N]');
	expect(left.screen().text).toContain(`that is deleted: ${path.dirname(folder)}`);
	left.press('enter');
	expect((await left.untilExit()).code).toBe(1);
	expect(existsSync(folder)).toBe(true);
	const agreed = ask();
	await agreed.untilText('Forget best? [y/N]');
	agreed.type('y');
	agreed.press('enter');
	expect((await agreed.untilExit()).code).toBe(0);
	expect(existsSync(path.dirname(folder))).toBe(false);
	expect(existsSync(home.at('parent'))).toBe(true);
	expect(await total(lake)).toBe(3);
});

test('a dataset that a job trains on is not forgotten', async () => {
	const lake = home.at('lake-training');
	await writeLerobotDataset(home.at('cups'), {cameras: ['observation.images.front']});
	await home.run(['ingest', '--lake', lake, home.at('cups')], env);
	const {project_id} = await post<{project_id: string}>(lake, '/v1/projects', {name: 'tests'});
	const {job_id} = await post<{job_id: string}>(lake, '/v1/finetune', {
		project_id,
		vla_type: 'act',
		dataset_id: 'local/cups',
		name: 'waits at 25',
		hours: 1,
		camera_mappings: {front: 'observation.images.front'},
		vla_hyper_spec: {steps: 40, save_freq: 20, log_freq: 5},
	});
	const refused = await home.run(['forget', '--lake', lake, '--yes', 'cups'], env);
	expect(refused).toMatchObject({code: 1, stdout: ''});
	expect(refused.stderr).toContain(
		`cups cannot be forgotten while the fine-tune waits at 25 (${job_id}) uses it`,
	);
	expect(await total(lake)).toBeGreaterThan(0);
	await home.run(['api', 'POST', `/local/v1/jobs/${job_id}/stop`, '--lake', lake], env);
	await home.run(['finetune', job_id, '--watch', '--lake', lake], env);
	expect(await home.run(['forget', '--lake', lake, '--yes', 'cups'], env)).toMatchObject({code: 0});
});

test('a hosted service forgets nothing, and that is said', async () => {
	const service = await startHostedService({episodes: 3});
	const hosted = {LAKESCOPE_URL: service.url, LAKESCOPE_API_KEY: service.key};
	const refused = await home.run(['forget', '--yes', 'anything'], hosted);
	await service.close();
	expect(refused).toMatchObject({
		code: 2,
		stdout: '',
		stderr: expect.stringContaining('hosted service cannot forget'),
	});
});
