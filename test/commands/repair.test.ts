import {execFileSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import {readdir, readFile, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {smallDataset} from '../service/support/small-dataset.ts';
import {writeLerobotDataset} from '../support/lerobot-dataset.ts';
import {standIn} from '../support/trainer/stand-in.ts';
import {programHome} from './support/program.ts';

const home = programHome();

test('a repair is planned, asked for, made and taken back; what it cannot do is said', async () => {
	const lake = ['--lake', home.at('lake')];
	const folder = await smallDataset(home.at('push'), {episodes: 3});
	const info = path.join(folder, 'meta', 'info.json');
	const whole = JSON.parse(await readFile(info, 'utf8'));
	await writeFile(info, JSON.stringify({...whole, total_frames: 5}));
	const damaged = await readFile(info, 'utf8');

	const dry = await home.run(['repair', ...lake, folder, 'total-frames-wrong', '--dry-run']);
	expect(dry).toMatchObject({code: 0, stderr: ''});
	expect(dry.stdout).toContain(`total_frames becomes ${whole.total_frames}, it was 5.`);
	expect(dry.stdout).toContain('1 file changes: meta/info.json');
	expect(dry.stdout).toMatch(/It needs about .* beside the dataset/);
	expect(await readFile(info, 'utf8')).toBe(damaged);

	const unasked = await home.run(['repair', ...lake, folder, 'total-frames-wrong']);
	expect(unasked).toMatchObject({code: 2, stderr: expect.stringContaining('--yes')});
	const readOnly = await home.run(['repair', ...lake, folder, '--yes', '--read-only']);
	expect(readOnly).toMatchObject({code: 2, stderr: expect.stringContaining('read-only')});
	const mistyped = await home.run(['repair', ...lake, folder, 'total-frame-wrong']);
	expect(mistyped).toMatchObject({
		code: 2,
		stderr: expect.stringContaining('Did you mean total-frames-wrong'),
	});
	expect(await readFile(info, 'utf8')).toBe(damaged);

	const repaired = await home.run(['repair', ...lake, folder, 'total-frames-wrong', '--yes']);
	expect(repaired).toMatchObject({code: 0, stderr: ''});
	expect(repaired.stdout).toContain(`lakescope repair --undo ${folder}`);
	expect(JSON.parse(await readFile(info, 'utf8'))).toEqual(whole);
	expect((await home.run(['repair', ...lake, folder, 'total-frames-wrong'])).stdout).toContain(
		'nothing to repair',
	);

	const undone = await home.run(['repair', ...lake, '--undo', folder]);
	expect(undone).toMatchObject({
		code: 0,
		stdout: `${folder}: total-frames-wrong taken back; 1 file as before.\n`,
	});
	expect(await readFile(info, 'utf8')).toBe(damaged);
	expect(existsSync(home.at('.push.lakescope-repairs'))).toBe(false);
	const again = await home.run(['repair', ...lake, '--undo', folder]);
	expect(again).toMatchObject({code: 1, stderr: expect.stringContaining('no repair to take back')});
	expect(existsSync(home.at('lake'))).toBe(false);
});

test('a feature is renamed by the command, seen in a dry run first, and taken back', async () => {
	const lake = ['--lake', home.at('lake-renames')];
	const folder = await smallDataset(home.at('names'), {episodes: 2});
	const file = path.join(folder, 'meta', 'info.json');
	const before = await readFile(file, 'utf8');
	const rename = (names: string, ...more: string[]) =>
		home.run(['repair', ...lake, folder, '--rename-feature', names, ...more]);
	const dry = await rename('action=action.joints', '--dry-run');
	expect(dry).toMatchObject({code: 0, stderr: ''});
	expect(dry.stdout).toContain('rename-feature\n  Feature "action" is renamed to "action.joints".\n');
	expect(await readFile(file, 'utf8')).toBe(before);
	expect(await rename('action')).toMatchObject({
		code: 2,
		stderr: expect.stringContaining('--rename-feature takes OLD=NEW: a feature and the name that it gets.'),
	});
	expect(await rename('action=arm/action', '--yes')).toMatchObject({
		code: 1,
		stderr: expect.stringContaining('cannot be called "arm/action"'),
	});
	expect(await rename('action=action.joints', '--yes')).toMatchObject({code: 0, stderr: ''});
	const {features} = JSON.parse(await readFile(file, 'utf8'));
	expect(Object.keys(features)).toEqual(
		Object.keys(JSON.parse(before).features).map(name => (name === 'action' ? 'action.joints' : name)),
	);
	const undone = await home.run(['repair', ...lake, '--undo', folder]);
	expect(undone.stdout).toMatch(/rename-feature taken back; \d+ files as before\.\n$/);
	expect(await readFile(file, 'utf8')).toBe(before);
});

test('a dataset on a read-only file system is not repaired, and nothing is left beside it', async context => {
	const folder = await smallDataset(home.at('mounted', 'fold'), {episodes: 2});
	const info = path.join(folder, 'meta', 'info.json');
	const whole = JSON.parse(await readFile(info, 'utf8'));
	await writeFile(info, JSON.stringify({...whole, total_frames: 5}));
	try {
		execFileSync('mount', ['--bind', folder, folder], {stdio: 'ignore'});
	} catch {
		context.skip('mounting takes root');
	}
	onTestFinished(() => void execFileSync('umount', [folder]));
	execFileSync('mount', ['-o', 'remount,ro,bind', folder]);
	const refused = await home.run([
		'repair',
		folder,
		'total-frames-wrong',
		'--yes',
		'--lake',
		home.at('lake-ro'),
	]);
	expect(refused.code).toBe(1);
	expect(refused.stderr).toMatch(
		/cannot be repaired, as it or .* cannot be written \(EROFS.*\)\. Repair a copy of it\.\n$/,
	);
	expect(await readdir(home.at('mounted'))).toEqual(['fold']);
});

test('a dataset that the lake trains on is not repaired', async () => {
	const lake = home.at('lake-training');
	const env = {LAKESCOPE_TRAINER: standIn, LAKESCOPE_JOB_RETRY_MS: '50', LAKESCOPE_JOB_END_MS: '300'};
	const post = async <Answer>(route: string, body: object): Promise<Answer> => {
		await writeFile(home.at('body.json'), JSON.stringify(body));
		const {stdout} = await home.run(
			['api', 'POST', route, '--lake', lake, '--input', home.at('body.json')],
			env,
		);
		return JSON.parse(stdout) as Answer;
	};
	const folder = home.at('cups');
	await writeLerobotDataset(folder, {cameras: ['observation.images.front']});
	await home.run(['ingest', '--lake', lake, folder], env);
	const {project_id} = await post<{project_id: string}>('/v1/projects', {name: 'tests'});
	const {job_id} = await post<{job_id: string}>('/v1/finetune', {
		project_id,
		vla_type: 'act',
		dataset_id: 'local/cups',
		name: 'waits at 25',
		hours: 1,
		camera_mappings: {front: 'observation.images.front'},
		vla_hyper_spec: {steps: 40, save_freq: 20, log_freq: 5},
	});
	const before = await readFile(path.join(folder, 'meta/info.json'), 'utf8');
	const refused = await home.run(['repair', '--lake', lake, folder, '--yes'], env);
	expect(refused).toMatchObject({code: 1, stdout: ''});
	expect(refused.stderr).toContain(
		`${folder} cannot be repaired while the fine-tune waits at 25 (${job_id}) uses it`,
	);
	expect(await readFile(path.join(folder, 'meta/info.json'), 'utf8')).toBe(before);
	expect(existsSync(home.at('.cups.lakescope-repairs'))).toBe(false);
	await home.run(['api', 'POST', `/local/v1/jobs/${job_id}/stop`, '--lake', lake], env);
	await home.run(['finetune', job_id, '--watch', '--lake', lake], env);
	expect(await home.run(['repair', '--lake', lake, folder, 'stats-missing', '--yes'], env)).toMatchObject({
		code: 0,
	});
});
