import {expect, test} from 'vitest';
import {ServiceError} from '../../../source/client/errors.ts';
import {takeUpOutbox} from '../../../source/store/finetune/take-up-outbox.ts';
import {Outbox} from '../../../source/store/state/outbox.ts';
import {Remembered} from '../../../source/store/state/remembered.ts';
import type {OutboxEntry} from '../../../source/store/state/remembered-state.ts';

const now = 1_000_000_000;
const gone = {at: now - 180_000, by: {host: 'another machine', pid: 1}};

/** A run that finds what earlier ones left, on a service that knows some compositions. */
async function nextRun(
	left: readonly Omit<OutboxEntry, 'at' | 'by' | 'request'>[],
	known: readonly string[],
) {
	const remembered = new Remembered();
	for (const entry of left) await remembered.sent({request: {}, ...entry, ...gone} as OutboxEntry);
	const said: string[] = [];
	const steps: string[] = [];
	const {signal} = new AbortController();
	const outbox = new Outbox({remembered, signal, pauses: [0], now: () => now});
	const takeUp = async ({id}: OutboxEntry) => {
		steps.push(`begin ${id}`);
		await Promise.resolve();
		steps.push(`end ${id}`);
	};
	await takeUpOutbox({
		outbox,
		finetune: {sending: {takeUp}} as never,
		client: {
			composition: ((id: string) =>
				known.includes(id)
					? Promise.resolve({data: {operation_id: id}})
					: Promise.reject(new ServiceError('404', {status: 404}))) as never,
		},
		notify: (kind, text) => said.push(`${kind}: ${text}`),
		signal,
	});
	return {said, steps, open: remembered.state.getState().orders.map(({id}) => id)};
}

test('an entry for a dataset is said to be there or not, by the id that it was given', async () => {
	const {said, open} = await nextRun(
		[
			{id: 'a', kind: 'composition', name: 'best'},
			{id: 'b', kind: 'composition', name: 'worst'},
		],
		['a'],
	);
	expect(said.toSorted()).toEqual([
		'info: lakescope ended while best was being requested. The request arrived: the uploads (2) show its progress.',
		'warning: lakescope ended while worst was being requested. The request did not arrive: the service does not know it.',
	]);
	expect(open).toEqual([]);
});

test('fine-tunes are settled one after the other, as the form shows one; what is neither is left for who knows it', async () => {
	const {steps, open} = await nextRun(
		[
			{id: 'f', kind: 'fine-tune', name: 'one'},
			{id: 'g', kind: 'fine-tune', name: 'two'},
			{id: 'h', kind: 'from the future', name: 'three'},
		],
		[],
	);
	expect(steps).toEqual(['begin f', 'end f', 'begin g', 'end g']);
	expect(open).toContain('h');
});
