import {describe, expect, test} from 'vitest';
import {finetuneCreated, finetuneRequest} from '../../source/contract/finetune.ts';
import {
	hyperparameterDefaults,
	hyperparameterDefaultsQuery,
	hyperparameterSet,
	hyperparameterValidation,
	hyperparameterValidationQuery,
} from '../../source/contract/hyperparameters.ts';
import {projectCreated, projectRequest} from '../../source/contract/projects.ts';
import {
	brokenFields,
	holdAbsentAsNull,
	holdBounds,
	holdChoices,
	holdDefaults,
	holdNulls,
	holdPresence,
	holdStrict,
	type Subject,
} from './bounds.ts';
import {someUuid} from './examples.ts';

const vlaTypes = ['act', 'smolvla', 'pi0', 'pi05', 'gr00t_n1_5', 'sarm'];

describe('finetune request', () => {
	const example = {
		project_id: someUuid,
		model_id: 'acme/base',
		vla_type: 'act',
		dataset_id: 'acme/cups-01',
		hours: 2,
		instance_type: 'gpu-1',
		region: 'eu',
		batch_size: 8,
		name: 'cups',
		camera_mappings: {front: 'observation.images.front'},
		vla_hyper_spec: {chunk_size: 50},
		use_rabc: true,
		sarm_reward_model_path: 'acme/reward',
		rabc_head_mode: 'dense',
		sarm_image_observation_key: 'observation.images.front',
	};
	const subject: Subject = {section: '4.3 finetune request', schema: finetuneRequest, example};
	const required = ['project_id', 'vla_type', 'dataset_id', 'hours', 'camera_mappings'];

	holdBounds(subject, [
		['project_id', 'a uuid', someUuid, 'folding'],
		['hours', 'greater than 0', Number.MIN_VALUE, 0],
		['hours', 'at most 168', 168, 168.001],
		['batch_size', 'at least 1', 1, 0],
		['batch_size', 'at most 512', 512, 513],
		['batch_size', 'an integer', 8, 8.5],
		['name', 'at most 255 characters', 'a'.repeat(255), 'a'.repeat(256)],
		['name', 'characters, not UTF-16 units', '🤖'.repeat(255), '🤖'.repeat(256)],
		['camera_mappings', 'an object', {}, []],
		['camera_mappings', 'string values', {front: 'a'}, {front: 1}],
		['vla_hyper_spec', 'an object of any values', {deep: {list: [1, null]}}, 'chunk_size=50'],
		['use_rabc', 'a boolean', false, 'false'],
		['model_id', 'a string', '', 1],
		['dataset_id', 'a string', '', 1],
		['instance_type', 'a string', '', 1],
		['region', 'a string', '', 1],
		['sarm_reward_model_path', 'a string', '', 1],
		['rabc_head_mode', 'a string', 'both', 1],
		['sarm_image_observation_key', 'a string', '', 1],
	]);
	holdPresence(subject, {
		required,
		optional: Object.keys(example).filter(field => !required.includes(field)),
	});
	holdNulls(subject, {nullable: [], notNull: Object.keys(example)});
	holdDefaults(subject, [
		['batch_size', 32],
		['rabc_head_mode', 'sparse'],
	]);
	holdChoices(subject, 'vla_type', vlaTypes, {open: false});

	holdStrict(subject);
});

describe('finetune answer', () => {
	const subject: Subject = {
		section: '2.10 job creation',
		schema: finetuneCreated,
		example: {job_id: someUuid, status: 'queued', message: 'Job queued'},
	};
	holdBounds(subject, [['job_id', 'a uuid', someUuid, '7']]);
	holdPresence(subject, {required: ['job_id', 'status'], optional: ['message']});
	holdAbsentAsNull(subject, ['message']);
	holdChoices(subject, 'status', ['queued', 'running', 'completed', 'failed', 'cancelled'], {open: true});
});

describe('hyperparameters', () => {
	const defaults: Subject = {
		section: '2.11 defaults',
		schema: hyperparameterDefaults,
		example: {data: {chunk_size: 100, nested: {rate: null}}, message: 'Defaults of act'},
	};
	holdBounds(defaults, [['data', 'an object', {}, []]]);
	holdPresence(defaults, {required: ['data', 'message'], optional: []});

	const validation: Subject = {
		section: '2.11 validation',
		schema: hyperparameterValidation,
		example: {valid: false, issues: [{field: 'chunk_size', message: 'too long'}]},
	};
	holdBounds(validation, [['valid', 'a boolean', true, 'true']]);
	holdPresence(validation, {required: ['valid', 'issues.0.field', 'issues.0.message'], optional: ['issues']});
	holdNulls(validation, {nullable: ['issues'], notNull: ['valid']});

	const validationQuery: Subject = {
		section: '4.13 validation query',
		schema: hyperparameterValidationQuery,
		example: {vla_type: 'act'},
	};
	holdPresence(validationQuery, {required: ['vla_type'], optional: []});
	holdStrict(validationQuery);

	test('4.13 validation body: a free-form object', () => {
		expect(brokenFields(hyperparameterSet, {anything: [1, {two: null}]})).toEqual([]);
		expect(brokenFields(hyperparameterSet, [1])).toEqual(['']);
	});

	const query: Subject = {
		section: '4.14 defaults query',
		schema: hyperparameterDefaultsQuery,
		example: {vla_type: 'act', model_id: 'acme/base'},
	};
	holdPresence(query, {required: ['vla_type'], optional: ['model_id']});
	holdNulls(query, {nullable: [], notNull: ['vla_type', 'model_id']});
	holdStrict(query);
	holdChoices(query, 'vla_type', vlaTypes, {open: false});

	test.each(['smolvla', 'pi0', 'pi05'])('4.14 model_id: required for %s', vla_type => {
		expect(brokenFields(hyperparameterDefaultsQuery, {vla_type})).toEqual(['model_id']);
		expect(brokenFields(hyperparameterDefaultsQuery, {vla_type, model_id: 'acme/base'})).toEqual([]);
	});

	test.each(['act', 'gr00t_n1_5'])('4.14 model_id: optional for %s', vla_type => {
		expect(brokenFields(hyperparameterDefaultsQuery, {vla_type})).toEqual([]);
	});
});

describe('projects', () => {
	const created: Subject = {
		section: '2.12 project creation',
		schema: projectCreated,
		example: {created: true, project_id: someUuid},
	};
	holdBounds(created, [
		['created', 'a boolean', false, 'false'],
		['project_id', 'a uuid', someUuid, '7'],
	]);
	holdPresence(created, {required: ['created', 'project_id'], optional: []});

	test('4.12 project request: a body is required, its fields are free', () => {
		expect(brokenFields(projectRequest, {name: 'folding'})).toEqual([]);
		expect(brokenFields(projectRequest, undefined)).toEqual(['']);
	});
});
