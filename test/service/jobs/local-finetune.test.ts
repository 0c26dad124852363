import path from 'node:path';
import {expect, test} from 'vitest';
import {finetuneCreated} from '../../../source/contract/finetune.ts';
import {finetuneLine, trainedPolicies} from '../../../source/contract/local-finetune.ts';
import {installRelease} from '../../support/lerobot-releases/install.ts';
import {run} from '../../support/lerobot-releases/release.mjs';
import {call} from '../support/call.ts';
import {ended, frontKey, order, project, trainingHome, until} from '../support/training-home.ts';

const home = trainingHome();

const short = {steps: 6, save_freq: 3, log_freq: 2};

test.each(['0.5.1', '0.6.1', 'newest'])('LeRobot %s trains what its line is built for', async release => {
	const trainer = await installRelease(path.join(home.root, `env-${release}`), release);
	const service = await home.serve({trainer});
	const reward = {vla_type: 'sarm', camera_mappings: {image_key: frontKey}, vla_hyper_spec: short};
	const answer = await order(service, reward);
	const {job_id} = finetuneCreated.parse(answer.json());
	const job = await until(service, job_id, ended);
	expect([job.status, job.message]).toEqual(['completed', expect.any(String)]);
	const registry = release === '0.5.1' ? 'policy' : 'reward_model';
	expect(job.command).toEqual(expect.arrayContaining([trainer, `--${registry}.type=sarm`]));

	const groot = await order(service, {vla_type: 'gr00t_n1_5', vla_hyper_spec: short});
	expect([groot.status, groot.text]).toEqual(
		release === '0.5.1'
			? [200, expect.stringContaining('It is LeRobot 0.5.1.')]
			: [400, expect.stringContaining('LeRobot 0.5.1 trains')],
	);
});

test('any policy of the installed registry is trained over /local/v1/finetune, and by its name alone', async () => {
	const trainer = await installRelease(path.join(home.root, 'env-local'), '0.6.1');
	const service = await home.serve({trainer});
	const listed = trainedPolicies.parse((await call(service, '/local/v1/finetune/policies')).json());
	expect(listed.version).toBe('0.6.1');
	const of = (name: string) => listed.policies.find(({policy}) => policy === name);
	expect(of('groot')).toMatchObject({registry: 'policy', base_model: 'nvidia/GR00T-N1.7-3B', vla_type: null});
	expect(of('smolvla')).toMatchObject({vla_type: 'smolvla', untrained: null});
	expect(of('robometer')).toMatchObject({registry: 'reward_model', untrained: expect.any(String)});
	expect(of('sac')).toBeUndefined();

	const body = {project_id: await project(service), dataset_id: 'cups', hours: 1, vla_hyper_spec: short};
	const send = (fields: object) => call(service, '/local/v1/finetune', {body: {...body, ...fields}});
	const {job_id} = finetuneCreated.parse((await send({policy: 'diffusion'})).json());
	const job = await until(service, job_id, ended);
	expect([job.status, job.vla_type]).toEqual(['completed', 'diffusion']);
	expect(job.command).toContain('--policy.type=diffusion');

	const refused = async (fields: object) => {
		const answer = await send(fields);
		return [answer.status, answer.json<{detail: unknown}>().detail];
	};
	expect(await refused({policy: 'sac'})).toEqual([
		400,
		'policy: LeRobot 0.6.1 has no sac; LeRobot 0.5.1 has it.',
	]);
	expect(await refused({policy: 'robometer'})).toEqual([
		400,
		'policy: lerobot-train does not train robometer: it is used as it is.',
	]);
	const few = await order(service, {vla_type: 'diffusion'});
	expect(few.status).toBe(422);
});

test('who trains elsewhere is given the line for their LeRobot, which takes it', async () => {
	const trainer = await installRelease(path.join(home.root, 'env-line'), '0.6.1');
	const service = await home.serve({trainer});
	const body = {
		project_id: await project(service),
		dataset_id: 'cups',
		vla_type: 'sarm',
		name: 'how far it is',
		hours: 1,
		camera_mappings: {image_key: frontKey},
	};
	const ask = (query = '', fields = {}) =>
		call(service, `/local/v1/finetune/line${query}`, {body: {...body, ...fields}});
	const lineOf = async (query = '') => finetuneLine.parse((await ask(query)).json());
	const here = await lineOf();
	expect(here.message).toBe('It is for LeRobot 0.6.1. Nothing ends it after 1 h but its steps.');
	expect(here.command).toEqual(
		expect.arrayContaining([
			'lerobot-train',
			'--reward_model.type=sarm',
			'--output_dir=outputs/train/how_far_it_is',
		]),
	);
	const older = await lineOf('?version=0.5.1');
	expect(older.command).toContain('--policy.type=sarm');
	for (const [release, {command}] of [
		['0.6.1', here],
		['0.5.1', older],
	] as const) {
		expect(run(release, command.slice(1), () => {}, true)).toBe(0);
	}
	const refused = await ask('?version=0.6.1', {vla_type: 'gr00t_n1_5', camera_mappings: {front: frontKey}});
	expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('LeRobot 0.5.1 trains')]);
	expect((await call(service, '/v1/finetune/jobs')).text).not.toContain('how far it is');
});
