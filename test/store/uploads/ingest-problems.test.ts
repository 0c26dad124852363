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
