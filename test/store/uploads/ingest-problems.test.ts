import {expect, test} from 'vitest';
import type {Answer} from '../../../source/client/answer.ts';
import type {IngestRecord} from '../../../source/contract/local.ts';
import {IngestProblems} from '../../../source/store/uploads/ingest-problems.ts';

const operationId = '00000000-0000-4000-8000-000000000001';

/** A service whose record of the ingest holds these problems; undefined is a service that fails. */
function serviceWith(messages: () => readonly string[] | undefined) {
	let asked = 0;
	let changes = 0;
	const problems = new IngestProblems(
		{
			async ingestRecord() {
				asked++;
				const found = messages();
				if (found === undefined) throw new Error('away');
				const data = {problems: found.map(message => ({file: 'meta/info.json', message}))};
				return {data, setAside: []} as unknown as Answer<IngestRecord>;
			},
		},
		() => changes++,
	);
	return {problems, asked: () => asked, changes: () => changes};
}

const messagesOf = (problems: IngestProblems) => problems.of(operationId).map(({message}) => message);

test('what an ingest found broken is asked for once, and again when there is more of it', async () => {
	let found = ['first'];
	const {problems, asked, changes} = serviceWith(() => found);
	await problems.look({operationId, problemCount: 1});
	await problems.look({operationId, problemCount: 1});
	expect([messagesOf(problems), asked(), changes()]).toEqual([['first'], 1, 1]);
	found = ['first', 'second'];
	await problems.look({operationId, problemCount: 2});
	expect([messagesOf(problems), asked(), changes()]).toEqual([['first', 'second'], 2, 2]);
});

test('an ingest without problems is not asked about', async () => {
	const {problems, asked} = serviceWith(() => []);
	await problems.look({operationId, problemCount: 0});
	await problems.look({operationId: undefined, problemCount: 3});
	expect(asked()).toBe(0);
});

test('problems that could not be read are asked for the next time', async () => {
	let found: readonly string[] | undefined;
	const {problems, asked} = serviceWith(() => found);
	await problems.look({operationId, problemCount: 1});
	expect(messagesOf(problems)).toEqual([]);
	found = ['first'];
	await problems.look({operationId, problemCount: 1});
	expect([messagesOf(problems), asked()]).toEqual([['first'], 2]);
});

test('of ever more ingests that are looked at the oldest are dropped, and none whose answer is on its way', async () => {
	const gate = Promise.withResolvers<void>();
	let asked = 0;
	const problems = new IngestProblems(
		{
			async ingestRecord(id) {
				asked++;
				if (isSlow(id)) await gate.promise;
				const data = {problems: [{file: 'meta/info.json', message: id}]};
				return {data, setAside: []} as unknown as Answer<IngestRecord>;
			},
		},
		() => undefined,
	);
	const look = (id: string) => problems.look({operationId: id, problemCount: 1});
	const told = (ids: readonly string[]) => ids.filter(id => problems.of(id).length > 0);
	const isSlow = (id: string) => id.startsWith('slow');
	const slow = Array.from({length: 1000}, (_, nth) => `slow ${nth}`);
	const quick = Array.from({length: 1000}, (_, nth) => `quick ${nth}`);
	const waiting = slow.map(look);
	for (const id of quick) await look(id);
	// What is asked for is not asked for again because others were looked at meanwhile.
	expect(asked).toBe(2000);
	await Promise.all(slow.map(look));
	expect(asked).toBe(2000);
	gate.resolve();
	await Promise.all(waiting);
	const kept = told([...slow, ...quick]);
	expect(kept).toHaveLength(200);
	expect(kept.at(-1)).toBe('slow 999');
	await look('the newest');
	expect(told([...slow, ...quick, 'the newest'])).toEqual([...kept.slice(1), 'the newest']);
});
