import {rename, rm, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {expect, test} from 'vitest';
import {programHome} from '../commands/support/program.ts';
import {writeLerobotDataset} from '../support/lerobot-dataset.ts';
import {standIn} from '../support/trainer/stand-in.ts';
import {explore} from './support.ts';

const home = programHome();
const lake = home.at('lake');
const camera = 'observation.images.front';
const env = {LAKESCOPE_TRAINER: standIn, LAKESCOPE_JOB_RETRY_MS: '50', LAKESCOPE_JOB_END_MS: '300'};

/** What the service answers, asked as a script would. */
async function api<Answer>(method: string, route: string, body?: object): Promise<Answer> {
	const input = home.at('body.json');
	if (body) await writeFile(input, JSON.stringify(body));
	const given = ['api', method, route, '--lake', lake, ...(body ? ['--input', input] : [])];
	const {code, stdout, stderr} = await home.run(given, env);
	expect({code, stderr}).toEqual({code: 0, stderr: ''});
	return JSON.parse(stdout) as Answer;
}

test('a job of this machine is stopped and restarted, each after a question that names what is lost', async () => {
	const folder = home.at('recordings', 'cups');
	await writeLerobotDataset(folder, {cameras: [camera]});
	expect(await home.run(['ingest', folder, '--lake', lake], env)).toMatchObject({code: 0});
	const explorer = explore(home, ['--lake', lake], {cols: 120, rows: 40, env});
	await explorer.until(({text}) => text.includes('cups') && text.includes('● live'), 'the lake, live');
	const {project_id} = await api<{project_id: string}>('POST', '/v1/projects', {name: 'tests'});
	const {job_id} = await api<{job_id: string}>('POST', '/v1/finetune', {
		project_id,
		vla_type: 'act',
		dataset_id: 'local/cups',
		name: 'waits at 25',
		hours: 1,
		camera_mappings: {front: camera},
		vla_hyper_spec: {steps: 40, save_freq: 20, log_freq: 5},
	});

	explorer.press('3');
	await explorer.until(({text}) => /waits at 25 +● running/.test(text), 'the job runs');
	explorer.press('enter');
	await explorer.until(({text}) => /step +25 of 40/.test(text), 'its step');
	explorer.press('x');
	await explorer.until(
		({text}) => text.includes('Stop the job?') && text.includes('The checkpoint of step 20 stays'),
		'the question',
	);
	explorer.press('n');
	await explorer.until(({text}) => !text.includes('Stop the job?'), 'no question');
	expect(explorer.screen().text).toMatch(/waits at 25 +● running/);
	explorer.press('x');
	await explorer.untilText('Stop the job?');
	explorer.press('y');
	await explorer.until(({text}) => /waits at 25 +✗ cancelled/.test(text), 'the job is stopped');

	explorer.press('S');
	await explorer.untilText('Restart the job?');
	explorer.press('y');
	await explorer.until(({text}) => /waits at 25 +● running/.test(text), 'the job runs again');
	await writeFile(path.join(lake, 'jobs', job_id, 'go'), '');
	await explorer.until(({text}) => /waits at 25 +✓ completed/.test(text), 'its end');
	explorer.press('q');
	expect((await explorer.untilExit()).code).toBe(0);
}, 120_000);

test('a failed ingest is retried from the feed', async () => {
	const folder = home.at('recordings', 'towels');
	await writeLerobotDataset(folder);
	const data = path.join(folder, 'meta', 'info.json');
	await rename(data, `${data}.away`);
	await writeFile(data, '{"codebase_version": "v3.0"}');
	expect((await home.run(['ingest', folder, '--lake', lake], env)).code).toBe(1);
	const explorer = explore(home, ['--lake', lake], {cols: 120, rows: 30, env});
	await explorer.untilText('● live');
	explorer.press('2');
	await explorer.until(({text}) => /▸towels +✗ failed/.test(text), 'the failure');
	await rm(data);
	await rename(`${data}.away`, data);
	explorer.press('R');
	await explorer.until(({text}) => /towels +✓ finalized/.test(text), 'its end');
	explorer.press('R');
	await explorer.untilText('Ingest it again?');
	explorer.press('n');
	await explorer.until(({text}) => !text.includes('Ingest it again?'), 'no question');
	explorer.press('q');
	expect((await explorer.untilExit()).code).toBe(0);
}, 60_000);

test('an upload is sent again from the feed after a question, and where its folder is gone the command is copied', async () => {
	const folder = home.at('recordings', 'plates');
	await writeLerobotDataset(folder);
	expect(await home.run(['upload', folder, '--lake', lake], env)).toMatchObject({code: 0});
	const explorer = explore(home, ['--lake', lake], {cols: 120, rows: 30, env});
	await explorer.untilText('● live');
	explorer.press('2');
	await explorer.until(({text}) => /▸plates +✓ finalized/.test(text), 'the upload');
	explorer.press('R');
	await explorer.until(
		({text}) => text.includes('Upload it again?') && text.includes('all files are read again'),
		'the question',
	);
	explorer.press('y');
	await explorer.until(
		({text}) =>
			/▸plates +✓ finalized +generation 2, unchanged/.test(text) && !/ [○\u2800-\u28ff] plates/.test(text),
		'its end',
	);
	await rename(folder, `${folder}-away`);
	explorer.press('R');
	await explorer.untilText('the command that resumes the upload');
	explorer.press('q');
	expect((await explorer.untilExit()).code).toBe(0);
}, 60_000);

test('datasets on which a training would fail are named in the first line, until their videos are back', async () => {
	const folders = ['fold', 'push', 'pour'].map(name => home.at('filmed', name));
	for (const folder of folders) await writeLerobotDataset(folder, {cameras: [camera]});
	const [fold = '', push = ''] = folders;
	for (const folder of [fold, push]) await rename(path.join(folder, 'videos'), path.join(folder, 'away'));
	const filmed = home.at('lake-filmed');
	const explorer = explore(home, [home.at('filmed'), '--lake', filmed], {cols: 120, rows: 30, env});
	const first = ({rows}: {rows: readonly string[]}) => rows[0] ?? '';
	await explorer.until(
		shown => first(shown).includes('3 datasets · 2 datasets cannot train: videos missing'),
		'both, in the first line',
	);
	for (const folder of [fold, push]) {
		await rename(path.join(folder, 'away'), path.join(folder, 'videos'));
		expect(await home.run(['ingest', folder, '--lake', filmed], env)).toMatchObject({code: 0});
	}
	await explorer.until(
		shown => / 3 datasets +(?!.*cannot train)/.test(first(shown)),
		'nothing said any more',
	);
	explorer.press('ctrl+c');
	await explorer.untilExit();
}, 120_000);

test('on 80 columns the first line says so as well', async () => {
	const folder = home.at('narrow', 'fold');
	await writeLerobotDataset(folder, {cameras: [camera], videoFiles: false});
	const narrow = home.at('lake-narrow');
	expect(await home.run(['ingest', folder, '--lake', narrow], env)).toMatchObject({code: 0});
	const summary = await home.run(['--lake', narrow], env);
	expect(summary.stdout.split('\n')[0]).toContain(' · 1 dataset cannot train: videos missing');
	const explorer = explore(home, ['--lake', narrow], {cols: 80, rows: 24, env});
	const {rows} = await explorer.untilText('1 dataset cannot train: videos missing');
	expect(rows[0]).toContain('1 dataset cannot train: videos missing');
	explorer.press('ctrl+c');
	await explorer.untilExit();
}, 60_000);
