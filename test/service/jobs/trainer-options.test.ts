import {chmod, mkdtemp, readFile, realpath, rm, utimes, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {beforeEach, expect, onTestFinished, test, vi} from 'vitest';
import {trainerOptions} from '../../../source/contract/local-jobs.ts';
import {TrainerHelp} from '../../../source/service/jobs/trainers/trainer-options.ts';
import {call} from '../support/call.ts';
import {serviceHome} from '../support/service-home.ts';

const home = serviceHome();
let folder: string;

beforeEach(async () => {
	folder = await realpath(await mkdtemp(path.join(tmpdir(), 'lakescope-trainer-')));
	vi.stubEnv('XDG_CACHE_HOME', path.join(folder, 'cache'));
	vi.stubEnv('XDG_CONFIG_HOME', path.join(folder, 'config'));
	vi.stubEnv('LAKESCOPE_TRAINER', path.join(folder, 'train'));
	onTestFinished(async () => {
		vi.unstubAllEnvs();
		await rm(folder, {recursive: true, force: true});
	});
});

let version = 0;

/** A trainer that notes each time it is asked, and does something then. */
async function trainer(body: string): Promise<void> {
	const file = path.join(folder, 'train');
	await writeFile(file, `#!/bin/sh\necho "$*" >> ${folder}/asked\n${body}\n`);
	await chmod(file, 0o755);
	version++;
	await utimes(file, version, version);
}

const asked = async () => (await readFile(path.join(folder, 'asked'), 'utf8')).trim().split('\n');
const helpWith = (options: string) => `echo "usage: lerobot-train [-h] ${options}"`;

test('the trainer is asked once a version, by this service and the next, and its help believed', async () => {
	await trainer(helpWith('[--dataset.episodes str] [--dataset.exclude_episodes str]'));
	const first = new TrainerHelp();
	const answers = await Promise.all([first.options(), first.options()]);
	expect(answers).toMatchObject(
		Array(2).fill({
			exclude_episodes: true,
			is_asking: false,
			message: 'The trainer on this machine knows --dataset.exclude_episodes.',
		}),
	);
	expect(await new TrainerHelp().options()).toMatchObject({exclude_episodes: true});
	expect(await asked()).toEqual(['--help']);
	await trainer(helpWith('[--dataset.episodes str] [--dataset.exclude_episodes_file str]'));
	expect(await first.options()).toMatchObject({
		exclude_episodes: false,
		message: 'The trainer on this machine does not know --dataset.exclude_episodes.',
	});
	expect(await asked()).toHaveLength(2);
});

test('one that takes its time is waited for elsewhere, one that hangs is ended, and neither holds anything up', async () => {
	await trainer(`echo $$ > ${folder}/pid; exec sleep 600`);
	const help = new TrainerHelp({boundMs: 2000, patienceMs: 20});
	expect(await help.options()).toMatchObject({exclude_episodes: null, is_asking: true});
	await expect
		.poll(() => help.options(), {timeout: 20_000})
		.toMatchObject({
			exclude_episodes: null,
			is_asking: false,
			message: 'The trainer on this machine does not say which options it has.',
		});
	const pid = Number(await readFile(`${folder}/pid`, 'utf8'));
	await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(), {timeout: 20_000});
	expect(await asked()).toHaveLength(1);
});

test('what is no help text says nothing of the options, and a service without a trainer says so', async () => {
	await trainer('echo "ModuleNotFoundError: No module named torch" >&2; exit 1');
	expect(await new TrainerHelp().options()).toMatchObject({exclude_episodes: null, is_asking: false});
	vi.stubEnv('LAKESCOPE_TRAINER', '');
	vi.stubEnv('PATH', '/nowhere');
	expect(await new TrainerHelp().options()).toMatchObject({
		exclude_episodes: null,
		message: expect.stringContaining('There is no trainer on this machine'),
	});
});

test('the service of a lake answers for the trainer of its machine', async () => {
	await trainer(helpWith('[--dataset.exclude_episodes str]'));
	const service = await home.join(home.lake());
	const answer = await call(service, '/local/v1/trainer/options');
	expect(trainerOptions.parse(answer.json())).toMatchObject({exclude_episodes: true, is_asking: false});
	const document = (await call(service, '/local/v1')).json<{abilities: string[]}>();
	expect(document.abilities).toContain('trainer-options');
});
