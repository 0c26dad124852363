import {describe, expect, test} from 'vitest';
import {errorResponse, validationErrorResponse} from '../../source/contract/errors.ts';
import {exploreResponse} from '../../source/contract/explore.ts';
import {jobStatus} from '../../source/contract/job-status.ts';
import {datasetListResponse} from '../../source/contract/listing.ts';
import {jsonPath, readTolerantly} from '../../source/contract/tolerance.ts';
import {holdBounds, holdPresence, type Subject, withField} from './bounds.ts';
import {artifact, episode, exploreAnswer, job} from './examples.ts';

describe('tolerant reading', () => {
	test('a whole response is read as it is, with nothing set aside', () => {
		expect(readTolerantly(exploreResponse, exploreAnswer)).toEqual({
			ok: true,
			data: exploreAnswer,
			setAside: [],
		});
	});

	test('a field the document does not know stays, at every depth', () => {
		const answer = withField(withField(exploreAnswer, 'server', 'b7'), 'episodes.0.grade', {by: 'me'});
		expect(readTolerantly(exploreResponse, answer)).toEqual({ok: true, data: answer, setAside: []});
	});

	test('a broken episode is set aside with its place and reason, the others stay in order', () => {
		const broken = {...episode, episode_index: 'seven'};
		const first = {...episode, episode_index: 1};
		const last = {...episode, episode_index: 2};
		const reading = readTolerantly(exploreResponse, {...exploreAnswer, episodes: [first, broken, last]});
		expect(reading).toEqual({
			ok: true,
			data: {...exploreAnswer, episodes: [first, last]},
			setAside: [{path: 'episodes[1]', message: expect.stringContaining('episode_index'), value: broken}],
		});
	});

	test.each<[string, unknown]>([
		['facets.by_task', {value: 'a', count: 0}],
		['facets.by_marker_signature', null],
		['channel_predicate_evidence', {predicate_index: 32}],
		['episodes', 'an episode'],
	])('a broken element of %s is set aside', (list, element) => {
		const reading = readTolerantly(exploreResponse, withField(exploreAnswer, `${list}.0`, element));
		expect(reading).toMatchObject({ok: true, setAside: [{path: `${list}[0]`, value: element}]});
	});

	test('a broken element deep in an item costs that element, not the item', () => {
		const answer = {items: [artifact], page_info: {has_next: false}};
		const reading = readTolerantly(datasetListResponse, withField(answer, 'items.0.jobs.0.job_id', 7));
		expect(reading).toMatchObject({
			ok: true,
			data: {items: [{path: artifact.path, jobs: []}]},
			setAside: [{path: 'items[0].jobs[0]'}],
		});
		const timeline = readTolerantly(jobStatus, withField(job, 'phases.0.events.0.timestamp', 'noon'));
		expect(timeline).toMatchObject({
			ok: true,
			data: {phases: [{name: 'training', events: []}]},
			setAside: [{path: 'phases[0].events[0]'}],
		});
	});

	test.each<[string, unknown, string]>([
		['total', 'many', 'string many'],
		['facets', null, 'null'],
		['episodes', {}, 'an object'],
		['page_limit', 201, 'number 201'],
	])('a broken envelope is refused, with the field and what stood there: %s', (field, value, found) => {
		const reading = readTolerantly(exploreResponse, withField(exploreAnswer, field, value));
		expect(reading).toMatchObject({ok: false, breaches: [{path: field, found}]});
	});

	test.each([null, 'text', 7, []])('a body that is no object is a broken envelope: %j', body => {
		expect(readTolerantly(exploreResponse, body)).toMatchObject({
			ok: false,
			breaches: [{path: '(the whole body)'}],
		});
	});

	test('a count beyond 2^53 keeps its digits', () => {
		const exact = 18_446_744_073_709_551_615n;
		const reading = readTolerantly(
			exploreResponse,
			withField(exploreAnswer, 'episodes.0.frame_count', exact),
		);
		expect(reading).toMatchObject({ok: true, data: {episodes: [{frame_count: exact}]}});
	});

	test('what was read is a copy: the answer itself keeps its broken elements', () => {
		const answer = withField(exploreAnswer, 'episodes.0.frame_count', null);
		const before = structuredClone(answer);
		readTolerantly(exploreResponse, answer);
		expect(answer).toEqual(before);
	});
});

test('a path is written as one would in code', () => {
	expect(jsonPath(['facets', 'by_task', 3, 'count'])).toBe('facets.by_task[3].count');
});

describe('errors', () => {
	const standard: Subject = {section: '7 error', schema: errorResponse, example: {detail: 'Unknown job'}};
	holdBounds(standard, [['detail', 'a string', '', []]]);
	holdPresence(standard, {required: ['detail'], optional: []});

	const validation: Subject = {
		section: '7 validation error',
		schema: validationErrorResponse,
		example: {
			detail: [
				{loc: ['body', 'tags', 3], msg: 'too long', type: 'string_too_long', input: 'x', ctx: {max: 3}},
			],
		},
	};
	holdBounds(validation, [
		['detail', 'an array', [], 'too long'],
		['detail.0.loc', 'strings and integers', ['body', 0], ['body', 0.5]],
		['detail.0.msg', 'a string', '', 1],
		['detail.0.type', 'a string', '', 1],
		['detail.0.ctx', 'an object', {}, 'max=3'],
	]);
	holdPresence(validation, {
		required: ['detail', 'detail.0.loc', 'detail.0.msg', 'detail.0.type'],
		optional: ['detail.0.input', 'detail.0.ctx'],
	});
});
