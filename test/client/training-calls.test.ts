import {expect, test} from 'vitest';
import {createClient} from '../../source/client/client.ts';
import {readImageKeys} from '../../source/contract/image-keys.ts';
import {ended, frontKey, trainingHome, until, wristKey} from '../service/support/training-home.ts';

const home = trainingHome();

test('a fine-tune is ordered, watched, stopped and started again through the client', async () => {
	const service = await home.serve({trainer: undefined});
	const client = createClient({baseUrl: service.url, key: service.key});
	try {
		const {project_id} = (await client.createProject({name: 'from the client'})).data;
		const keys = readImageKeys((await client.imageKeys('local/cups')).data);
		expect(keys).toEqual([frontKey, wristKey]);
		expect((await client.trainer()).data.command).toBeNull();
		const {data} = await client.hyperparameterDefaults({vla_type: 'act'});
		expect((await client.validateHyperparameters('act', data.data)).data).toEqual({
			valid: true,
			issues: null,
		});
		const order = {project_id, dataset_id: 'cups', hours: 1, camera_mappings: {front: frontKey}};
		const {job_id} = (await client.createFinetune({...order, vla_type: 'act'})).data;
		expect((await client.stopJob(job_id)).data.status).toMatch(/running|cancelled/);
		expect((await until(service, job_id, ended)).status).toBe('cancelled');
		expect((await client.restartJob(job_id)).data.status).toMatch(/queued|running/);
		await until(service, job_id, ended);
		expect((await client.finetuneStatus(job_id)).data.status).toBe('completed');
		expect((await client.localJob(job_id)).data.rehearsal).toBe(true);
		expect((await client.jobLog(job_id, {limit: 20})).data.text).toMatch(/^\[lakescope\] 2/);
		expect((await client.listJobs({limit: 1})).data.items).toMatchObject([{job_id}]);
		expect((await client.listProjects()).data.items).toMatchObject([{project_id, jobs: 1}]);
		expect((await client.listModels()).data.items).toEqual([]);
	} finally {
		await client.close();
	}
});

test.each([
	[['a', 'b']],
	[{image_keys: ['a', 'b']}],
	[{keys: ['a', 'b'], more: 1}],
	[{items: ['a', 'b']}],
	[{data: ['a', 'b']}],
])('image keys are read from %j', body => {
	expect(readImageKeys(body)).toEqual(['a', 'b']);
});

test.each([[{}], ['a'], [{image_keys: [1]}], [null]])('image keys are not made up from %j', body => {
	expect(readImageKeys(body)).toBeUndefined();
});
