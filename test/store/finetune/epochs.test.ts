import {expect, test} from 'vitest';
import {type Draft, emptyDraft, reachOf} from '../../../source/store/finetune/draft.ts';
import {jobEntry} from '../../../source/store/jobs/job-entry.ts';

const draft: Draft = {
	...emptyDraft,
	dataset: {id: 'd', path: 'local/cups', frames: 6401},
	vlaType: 'act',
	hours: '2',
	batchSize: '64',
};

const finished = (steps_per_second: unknown, fields: Record<string, unknown> = {}) =>
	jobEntry(`j${String(steps_per_second)}`, {
		kind: 'fine-tune',
		item: {status: 'completed', vla_type: 'act', steps_per_second, ...fields},
	});

test('hours are put into epochs at the median rate of finished jobs of the type', () => {
	// 7200 s at 5 steps a second are 36,000 steps; an epoch of 6,401 frames in batches of 64 is 101.
	expect(reachOf(draft, [finished(9), finished(5), finished(1)])).toEqual({
		epochs: 36_000 / 101,
		rate: 5,
		jobs: 3,
	});
});

test('jobs that run, failed, are of another type or tell no rate say nothing of it', () => {
	const others = [
		finished(2, {status: 'running'}),
		finished(2, {status: 'failed'}),
		finished(2, {vla_type: 'pi0'}),
		finished(undefined),
		finished(null),
		finished(0),
		finished(Number.POSITIVE_INFINITY),
		finished('fast'),
	];
	expect(reachOf(draft, others)).toBeUndefined();
	expect(reachOf(draft, [...others, finished(4)])).toMatchObject({rate: 4, jobs: 1});
});

test.each([
	['no hours', {hours: ''}],
	['hours that are no number', {hours: 'two'}],
	['hours below zero', {hours: '-1'}],
	['no batch', {batchSize: '0'}],
	['a dataset whose frames nobody tells', {dataset: {id: 'd', path: 'local/cups'}}],
	['an empty dataset', {dataset: {id: 'd', path: 'local/cups', frames: 0}}],
	['no dataset', {dataset: undefined}],
] satisfies [string, Partial<Draft>][])('with %s there are no epochs to tell', (_, change) => {
	expect(reachOf({...draft, ...change}, [finished(5)])).toBeUndefined();
});
