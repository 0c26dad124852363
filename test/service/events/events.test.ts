import {expect, test} from 'vitest';
import {type ServiceEventName, serviceEvents} from '../../../source/contract/service-events.ts';
import {call} from '../support/call.ts';
import {endProcessesOver, serviceHome} from '../support/service-home.ts';
import {smallDataset} from '../support/small-dataset.ts';
import {type Reader, readEvents} from './reader.ts';

/** Waits for what a loaded machine may take long to do. */
const soon = <T>(read: () => T) => expect.poll(read, {timeout: 20_000});

const home = serviceHome();

const phases = (reader: Reader) =>
	reader.events
		.filter(({event}) => event === 'ingest.phase')
		.map(({data}) => (JSON.parse(data) as {phase: string}).phase);

test('4.18 GET /v1/events tells of an ingest as it goes, and over a restart of the service', async () => {
	const lake = home.lake();
	const service = await home.join(lake);
	const reader = await readEvents(service);
	expect([reader.status, reader.headers['content-type']]).toEqual([200, 'text/event-stream']);
	const folder = await smallDataset(`${home.root}/cups`);
	const {operation_id} = (await call(service, '/local/v1/ingests', {body: {folder}})).json<{
		operation_id: string;
	}>();
	await soon(() => phases(reader)).toContain('finalized');
	expect(phases(reader)).toEqual(['queued', 'preparing', 'publishing', 'finalized']);
	for (const {event, data} of reader.events) {
		serviceEvents[event as ServiceEventName].parse(JSON.parse(data));
		if (event === 'ingest.phase')
			expect(JSON.parse(data)).toMatchObject({operation_id, dataset_name: 'cups'});
	}
	const ids = reader.events.map(({id}) => Number(id));
	expect(ids).toEqual(ids.toSorted((a, b) => a - b));
	const beforePublishing = reader.events.at(-3)?.id;

	endProcessesOver(lake);
	await reader.ended;
	await service.lost;
	const again = await readEvents(await home.join(lake), beforePublishing);
	await soon(() => again.events.at(-1)?.event).toBe('service.started');
	expect(phases(again)).toEqual(['publishing', 'finalized']);
	again.close();
});

test('4.18 GET /v1/events keeps its service, and HEAD ends at once', async () => {
	const service = await home.join(home.lake());
	const reader = await readEvents(service);
	await soon(() => reader.events.length).toBeGreaterThan(0);
	const retired = await call(service, '/local/v1/retire', {method: 'POST', headers: {'content-length': '0'}});
	expect([retired.status, retired.json<{detail: string}>().detail]).toEqual([409, 'it has 2 clients']);
	const head = await call(service, '/v1/events', {method: 'HEAD'});
	expect([head.status, head.headers['content-type'], head.text]).toEqual([200, 'text/event-stream', '']);
	reader.close();
});
