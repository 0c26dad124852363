import {describe, expect, test} from 'vitest';
import {
	datasetItem,
	datasetListQuery,
	datasetListResponse,
	jobItem,
	jobListResponse,
	modelItem,
	modelListResponse,
	openListQuery,
	pageInfo,
	projectListResponse,
} from '../../source/contract/listing.ts';
import {
	holdAbsentAsNull,
	holdBounds,
	holdChoices,
	holdDefaults,
	holdNulls,
	holdPresence,
	holdStrict,
	type Subject,
} from './bounds.ts';
import {artifact, someUuid} from './examples.ts';

describe.each([
	{section: '2.4 dataset item', schema: datasetItem, subtypes: ['lerobot_v3', 'sarm_progress']},
	{section: '2.5 model item', schema: modelItem, subtypes: ['vla_model', 'reward_model']},
])('$section', ({section, schema, subtypes}) => {
	const subject: Subject = {section, schema, example: artifact};
	holdBounds(subject, [
		['artifact_id', 'a uuid', someUuid, 'acme/cups-01'],
		['path', 'a string', '', 1],
		['metadata', 'an object', {}, []],
		['jobs.0.job_id', 'a uuid', someUuid, '7'],
		['created_at', 'a date-time', '2025-01-06T09:00:00.123456+00:00', '2025-01-06'],
		['updated_at', 'a date-time', '2025-01-06T09:00:00Z', 'yesterday'],
	]);
	holdPresence(subject, {
		required: [
			'artifact_id',
			'subtype',
			'path',
			'created_at',
			'updated_at',
			'jobs.0.job_id',
			'jobs.0.direction',
		],
		optional: ['metadata', 'jobs'],
	});
	holdAbsentAsNull(subject, ['metadata', 'jobs']);
	holdChoices(subject, 'subtype', subtypes, {open: true});
	holdChoices(subject, 'jobs.0.direction', ['input', 'output'], {open: true});
});

describe('job item', () => {
	const example = {job_id: someUuid, project_id: someUuid, use_rabc: true};
	const subject: Subject = {section: '2.6 job item', schema: jobItem, example};
	holdBounds(subject, [
		['job_id', 'a uuid', someUuid, '7'],
		['project_id', 'a uuid', someUuid, '7'],
		['use_rabc', 'a boolean', false, 'no'],
	]);
	holdPresence(subject, {required: ['job_id', 'project_id'], optional: ['use_rabc']});
	holdAbsentAsNull(subject, ['use_rabc']);

	test('2.6 job item: fields the document does not show are kept', () => {
		expect(jobItem.parse({...example, status: 'running'})).toEqual({...example, status: 'running'});
	});
});

describe('page info', () => {
	const example = {has_next: true, end_cursor: 'abc', total_count: 40};
	const subject: Subject = {section: '2.7 page info', schema: pageInfo, example};
	holdBounds(subject, [
		['has_next', 'a boolean', false, 'false'],
		['end_cursor', 'a string', '', 4],
		['total_count', 'an integer', 0, 0.5],
	]);
	holdPresence(subject, {required: ['has_next'], optional: ['end_cursor', 'total_count']});
	holdNulls(subject, {nullable: ['end_cursor', 'total_count'], notNull: ['has_next']});
});

describe('dataset list query', () => {
	const subject: Subject = {
		section: '4.6 dataset list query',
		schema: datasetListQuery,
		example: {
			dataset_type: 'lerobot_v3',
			direction: 'input',
			project_id: someUuid,
			job_id: someUuid,
			search: 'cups',
			limit: 20,
			cursor: 'abc',
			sort: 'newest',
		},
	};
	holdBounds(subject, [
		['project_id', 'a uuid', someUuid, '7'],
		['job_id', 'a uuid', someUuid, '7'],
		['search', 'at most 200 characters', 'a'.repeat(200), 'a'.repeat(201)],
		['search', 'characters, not UTF-16 units', '🤖'.repeat(200), '🤖'.repeat(201)],
		['limit', 'at least 1', 1, 0],
		['limit', 'at most 1000', 1000, 1001],
		['limit', 'an integer', 2, 2.5],
		['cursor', 'a string', 'abc', 3],
	]);
	holdPresence(subject, {required: [], optional: Object.keys(subject.example)});
	holdDefaults(subject, [
		['limit', 20],
		['sort', 'newest'],
	]);
	holdChoices(subject, 'dataset_type', ['lerobot_v3', 'sarm_progress'], {open: false});
	holdChoices(subject, 'direction', ['input', 'output'], {open: false});
	holdChoices(subject, 'sort', ['newest', 'oldest', 'updated', 'name'], {open: false});

	holdNulls(subject, {nullable: [], notNull: Object.keys(subject.example)});
	holdStrict(subject);
});

describe('list responses', () => {
	holdPresence(
		{
			section: '4.6 dataset list',
			schema: datasetListResponse,
			example: {items: [artifact], page_info: {has_next: false}},
		},
		{required: ['items', 'page_info'], optional: []},
	);
	holdPresence(
		{section: '4.9 model list', schema: modelListResponse, example: {items: [artifact]}},
		{required: ['items'], optional: []},
	);
	holdPresence(
		{
			section: '4.10 job list',
			schema: jobListResponse,
			example: {items: [{job_id: someUuid, project_id: someUuid}]},
		},
		{required: ['items'], optional: []},
	);
	holdPresence(
		{section: '4.11 project list', schema: projectListResponse, example: {items: [{anything: 1}]}},
		{required: ['items'], optional: []},
	);
});

describe('model, job and project list query', () => {
	const subject: Subject = {
		section: '4.9-4.11 list query',
		schema: openListQuery,
		example: {limit: 5, sort: 'newest', cursor: 'abc'},
	};
	holdBounds(subject, [
		['limit', 'an integer', 5, 5.5],
		['sort', 'a string', 'by_mood', 1],
		['cursor', 'a string', '', 1],
	]);
	holdPresence(subject, {required: [], optional: Object.keys(subject.example)});
	holdNulls(subject, {nullable: [], notNull: Object.keys(subject.example)});
	holdStrict(subject);
});

test('4.9-4.11 page_info: read where it is that of 2.7, left out where it is something else', () => {
	const page_info = {has_next: true, end_cursor: 'abc'};
	expect(modelListResponse.parse({items: [], page_info})).toEqual({items: [], page_info});
	expect(jobListResponse.parse({items: [], page_info: null}).page_info).toBeNull();
	expect(projectListResponse.parse({items: [], page_info: {next: 2}}).page_info).toBeUndefined();
});
