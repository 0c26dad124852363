import {expect, test} from 'vitest';
import {mayConcern, namesSomething, readHint} from '../../../source/client/events/event-hint.ts';

const id = (nth: number) => `00000000-0000-4000-8000-00000000000${nth}`;
const hintOf = (payload: unknown, name = 'message') => readHint({name, data: JSON.stringify(payload)});

test('6 ids and states are read from wherever they stand, however they are spelt', () => {
	const hint = hintOf({
		job_id: id(1),
		status: 'running',
		payload: {operationId: id(2), 'repo-id': id(3), list: [{DATASET_ID: id(4), current_phase: 'training'}]},
		finetune_job_ids: [id(5), id(6)],
		progress_json: `{"upload_id": "${id(7)}", "phase": "inner"}`,
		phase: 'late',
	});
	expect(hint).toMatchObject({
		jobs: [id(1), id(5), id(6)],
		operations: [id(2)],
		repos: [id(3)],
		datasets: [id(4)],
		uploads: [id(7)],
		others: [],
		status: 'running',
		phase: 'late',
	});
	expect(hintOf({dataset_id: 'acme/folding'}).datasets).toEqual(['acme/folding']);
});

test('6 a bare id is that of what its owner is called', () => {
	expect(hintOf({job: {id: id(1)}, dataset: {id: id(2)}})).toMatchObject({jobs: [id(1)], datasets: [id(2)]});
	expect(hintOf({type: 'job', id: id(1)}).jobs).toEqual([id(1)]);
	expect(hintOf({data: {object: 'operation', id: id(1)}}).operations).toEqual([id(1)]);
	expect(hintOf({id: id(1)})).toMatchObject({others: [id(1)], jobs: []});
});

test('6 what is no JSON still gives its ids away, and an event may name one itself', () => {
	const text = readHint({name: `job ${id(2)}`, data: `job ${id(1)} has ended; see ${id(1).toUpperCase()}`});
	expect(text).toMatchObject({others: [id(1), id(2)], payload: undefined});
	expect(mayConcern(text, id(1).toUpperCase())).toBe(true);
	expect(mayConcern(text, id(3))).toBe(false);
	expect([namesSomething(text), namesSomething(readHint({name: 'ready', data: '{}'}))]).toEqual([
		true,
		false,
	]);
});

test.each([
	['nothing', ''],
	['half of a JSON', '{"job_id": "'],
	['another type under a known name', '{"job_id": 7, "status": {"a": 1}, "phase": null}'],
	['an id that is none', '{"job_id": "../../etc", "operation_id": "x"}'],
	['depth without end', '['.repeat(100_000)],
	['a name of the prototype', '{"__proto__": {"x": 1}, "constructor": "y"}'],
])('6 %s names nothing and harms nothing', (_, data) => {
	expect(namesSomething(readHint({name: 'x', data}))).toBe(false);
});

test('6 a payload of any size is looked at within bounds', () => {
	const begun = performance.now();
	const wide = hintOf(Array.from({length: 100_000}, () => ({job_id: id(1), x: crypto.randomUUID()})));
	expect(wide.jobs.length).toBeLessThanOrEqual(64);
	expect(wide.others.length).toBeLessThanOrEqual(64);
	let nested = '{}';
	for (let depth = 0; depth < 12; depth++) nested = JSON.stringify({inner: nested});
	readHint({name: 'x', data: nested});
	// A tenth of a second; what grew with the square of it would take minutes.
	expect(performance.now() - begun).toBeLessThan(20_000);
});
