import {expect, test} from 'vitest';
import {RequestError, ServiceError} from '../../../source/client/errors.ts';
import type {JobItem} from '../../../source/contract/listing.ts';
import {jobMadeBy, problemsOfRefusal} from '../../../source/store/finetune/sending.ts';

const said = (detail: string) => new ServiceError(`400: ${detail}`, {status: 400, detail});

test('a refusal that names its fields is told at each of them', () => {
	const detail =
		'camera_mappings.front: cups has no image key "top"; its image keys are a, b. vla_hyper_spec.n_action_steps: must be at most chunk_size.';
	expect(problemsOfRefusal(said(detail))).toEqual([
		{field: 'camera_mappings.front', message: 'cups has no image key "top"; its image keys are a, b.'},
		{field: 'vla_hyper_spec.n_action_steps', message: 'must be at most chunk_size.'},
	]);
});

test.each([
	['Unknown project', 'project_id'],
	['There is no dataset local/cups in this lake.', 'dataset_id'],
	['Camera slot front: the dataset has no image key top', 'camera_mappings.front'],
	['Quota is used up', ''],
])('“%s” is about %j', (detail, field) => {
	expect(problemsOfRefusal(said(detail))).toEqual([{field, message: detail}]);
});

test('a validation error is told where it says, one of our own bounds where it stands', () => {
	const issues = [{loc: ['body', 'hours'], msg: 'Input should be less than or equal to 168', type: 'x'}];
	expect(problemsOfRefusal(new ServiceError('422', {status: 422, issues}))).toEqual([
		{field: 'hours', message: 'Input should be less than or equal to 168'},
	]);
	const own = new RequestError('not sent', {field: 'batch_size', bound: 'must be at most 512'});
	expect(problemsOfRefusal(own)).toEqual([{field: 'batch_size', message: 'must be at most 512'}]);
	expect(problemsOfRefusal(new Error('no way there'))).toEqual([{field: '', message: 'no way there'}]);
});

test('the job of a lost answer is one that was not there before and is nothing else than was asked for', () => {
	const project = '00000000-0000-4000-8000-0000000000aa';
	const request = {
		project_id: project,
		vla_type: 'act',
		dataset_id: 'local/cups',
		hours: 2,
		camera_mappings: {},
	} as const;
	const item = (job_id: string, fields: Partial<JobItem> = {}): JobItem => ({
		job_id,
		project_id: project,
		...fields,
	});
	const before = new Set(['old']);
	expect(jobMadeBy(request, [item('old')], before)).toBeUndefined();
	expect(jobMadeBy(request, [item('new', {vla_type: 'pi0'}), item('old')], before)).toBeUndefined();
	expect(jobMadeBy(request, [item('new', {project_id: 'another'})], before)).toBeUndefined();
	expect(jobMadeBy(request, [item('new', {hours: 2}), item('old')], before)).toBe('new');
});
