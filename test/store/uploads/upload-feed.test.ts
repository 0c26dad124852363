import {expect, test} from 'vitest';
import {jobEntry} from '../../../source/store/jobs/job-entry.ts';
import {viewed} from '../../../source/store/state/view-transitions.ts';
import {refused, reset} from '../../hosted-service/faults.ts';
import {hosted} from '../../support/hosted.ts';
import {explorerOf, until} from '../support.ts';

const operation = '00000000-0000-4000-8000-000000000001';
const repo = '00000000-0000-4000-8000-000000000008';
const dismiss = 'POST /v1/datasets/uploads/{repo_id}/dismiss';

async function feedOf(phase: string, done: boolean) {
	const service = await hosted({episodes: 20});
	const explorer = explorerOf(service);
	service.state.syncs.set(operation, {phase, done, message: 'three videos are missing'});
	service.state.uploads.set(repo, {phase, entry_unix: 5, dismissed_through_unix: 0});
	explorer.listen();
	await until(explorer.live.state, state => state.phase === 'live');
	const notify = () =>
		service.state.events.publish({data: {operation_id: operation, repo_id: repo, dataset_name: 'cups'}});
	explorer.update(viewed('uploads'));
	notify();
	const {entries} = await until(explorer.uploads.known, known => known.entries.length === 1);
	return {service, explorer, entries, notify};
}

test('an operation that an event names is found in the feed, and goes on with it to its end', async () => {
	const {service, explorer, entries, notify} = await feedOf('reticulating', false);
	expect(entries).toMatchObject([{name: 'cups', phase: 'reticulating', repoId: repo}]);
	service.state.syncs.set(operation, {phase: 'finalized', done: true, generation: 4, episode_count: 20});
	notify();
	await until(explorer.uploads.known, known => known.entries[0]?.phase === 'finalized');
	expect(explorer.uploads.known.getState().entries[0]?.status).toMatchObject({generation: 4});
});

test('an id that an event names and the service does not know is no entry, and none that a hand typed', async () => {
	const {service, explorer} = await feedOf('preparing', false);
	const unknown = '00000000-0000-4000-8000-00000000000f';
	service.state.events.publish({data: {sync_id: unknown}});
	await expect.poll(() => service.requests.some(({path}) => path.endsWith(unknown))).toBe(true);
	expect(explorer.uploads.known.getState().entries).toHaveLength(1);
	expect(explorer.follow('uploads', 'not an id')).toBe(false);
	// Another than the event's: what an event has named may only be unknown for the moment.
	const typed = '00000000-0000-4000-8000-00000000000e';
	expect(explorer.follow('uploads', ` ${typed.toUpperCase()} `)).toBe(true);
	const said = () =>
		explorer.notices.messages
			.getState()
			.filter(({text}) => text === `The service knows no operation with the id ${typed}.`);
	await until(explorer.notices.messages, () => said().length > 0);
	expect(explorer.uploads.known.getState().entries).toHaveLength(1);
	expect(explorer.remembered.state.getState().operations.map(({operationId}) => operationId)).toEqual([
		operation,
	]);
	// Who asks once more asks the service once more.
	service.state.syncs.set(typed, {phase: 'preparing', done: false});
	explorer.follow('uploads', typed);
	await until(explorer.uploads.known, known => known.entries.length === 2);
});

test('an operation followed by hand that was read before, or that an event has named, outlives a 404', async () => {
	const {service, explorer} = await feedOf('preparing', false);
	const named = '00000000-0000-4000-8000-00000000000f';
	explorer.follow('uploads', operation);
	await until(explorer.uploads.known, known => known.entries[0]?.phase === 'preparing');
	const held = Promise.withResolvers<void>();
	service.setFault('GET /v1/datasets/sync-status/{operation_id}', async exchange => {
		await held.promise;
		await refused(404, 'not yet')(exchange);
	});
	explorer.follow('uploads', named);
	service.state.events.publish({data: {operation_id: named, dataset_name: 'bowls'}});
	await until(explorer.uploads.known, ({entries}) => entries.some(({name}) => name === 'bowls'));
	held.resolve();
	explorer.uploads.refetch();
	const {entries} = await until(
		explorer.uploads.known,
		known => known.entries.filter(({trouble}) => trouble?.includes('not yet')).length === 2,
	);
	expect(entries.map(({operationId}) => operationId).toSorted()).toEqual([operation, named]);
});

test('a dismissed failure is gone from the feed, and the moment that was seen is sent', async () => {
	const {service, explorer, entries} = await feedOf('failed', true);
	const [failed] = entries;
	if (failed === undefined) throw new Error('no entry');
	await explorer.uploads.dismiss(failed, entries);
	expect(explorer.uploads.known.getState().entries).toEqual([]);
	expect(service.requests.at(-1)?.body ?? service.requests.at(-2)?.body).toEqual({
		dismissed_through_unix: Math.floor(failed.updatedAt / 1000),
	});
});

test('a dismissal that a live attempt overtook keeps the entry and says so', async () => {
	const {service, explorer, entries} = await feedOf('failed', true);
	const [failed] = entries;
	if (failed === undefined) throw new Error('no entry');
	service.state.uploads.set(repo, {phase: 'preparing', entry_unix: 9, dismissed_through_unix: 0});
	await explorer.uploads.dismiss(failed, entries);
	expect(explorer.uploads.known.getState().entries).toHaveLength(1);
	expect(explorer.state.getState().notices.at(-1)).toMatchObject({
		text: expect.stringContaining('preparing'),
	});
});

test('a dismissal whose answer never came is sent once, and its outcome called unknown', async () => {
	const {service, explorer, entries} = await feedOf('failed', true);
	const [failed] = entries;
	if (failed === undefined) throw new Error('no entry');
	service.setFault(dismiss, reset);
	await explorer.uploads.dismiss(failed, entries);
	expect(explorer.state.getState().notices.at(-1)?.text).toMatch(/outcome unknown/i);
	expect(service.requests.filter(({path}) => path.endsWith('/dismiss'))).toHaveLength(1);
	expect(explorer.uploads.known.getState().entries).toHaveLength(1);
});

test('a dismissed operation that is asked for by its id shows again, and that is said', async () => {
	const {explorer, entries} = await feedOf('failed', true);
	const [entry] = entries;
	if (entry === undefined) throw new Error('no entry');
	await explorer.uploads.dismiss(entry, entries);
	await until(explorer.uploads.known, known => known.entries.length === 0);
	explorer.follow('uploads', operation);
	await until(explorer.uploads.known, known => known.entries.length === 1);
	const said = () => explorer.notices.messages.getState().map(({text}) => text);
	await until(explorer.notices.messages, () =>
		said().some(text => text.includes('failed and was dismissed; it shows again')),
	);
});

test('what a cancelled augmentation gave back is told, by whatever name the service says it', async () => {
	const service = await hosted({episodes: 20});
	const explorer = explorerOf(service);
	service.setFault('POST /v1/augmentation/{job_id}/cancel', ({send}) =>
		send({status: 200, json: {refunded_credits: 1200}}),
	);
	await explorer.jobs.actions.stop(jobEntry(operation, {kind: 'augmentation', item: {name: 'trimmed'}}));
	const said = () => explorer.notices.messages.getState().map(({text}) => text);
	expect(said()).toEqual(['trimmed was asked to stop. Credits: 1200 refunded.']);
});

test('a dismissal says what was seen by the service’s clock, not by that of this machine', async () => {
	const service = await hosted({episodes: 20});
	const theirs = Date.UTC(2020, 0, 1, 12);
	service.setFault('GET /v1/datasets/sync-status/{operation_id}', async ({settle, send, response}) => {
		response.setHeader('date', new Date(theirs).toUTCString());
		send(await settle());
	});
	const explorer = explorerOf(service);
	service.state.syncs.set(operation, {phase: 'failed', done: true, message: 'three videos are missing'});
	service.state.uploads.set(repo, {phase: 'failed', entry_unix: 5, dismissed_through_unix: 0});
	explorer.listen();
	await until(explorer.live.state, state => state.phase === 'live');
	explorer.update(viewed('uploads'));
	service.state.events.publish({data: {operation_id: operation, repo_id: repo, dataset_name: 'cups'}});
	const {entries} = await until(explorer.uploads.known, known => known.entries[0]?.phase === 'failed');
	if (entries[0] === undefined) throw new Error('no entry');
	await explorer.uploads.dismiss(entries[0], entries);
	const sent = service.requests.find(({path}) => path.endsWith('/dismiss'));
	expect(sent?.body).toEqual({dismissed_through_unix: theirs / 1000});
	expect(explorer.uploads.known.getState().entries).toEqual([]);
});
