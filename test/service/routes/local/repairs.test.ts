import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {rename} from 'node:fs/promises';
import path from 'node:path';
import {expect, test} from 'vitest';
import {damageReport, repairPlan} from '../../../../source/contract/local-repair.ts';
import {call} from '../../support/call.ts';
import {exploreLocally, ingestFolder} from '../../support/ingesting.ts';
import {serviceHome} from '../../support/service-home.ts';
import {smallDataset} from '../../support/small-dataset.ts';

const home = serviceHome();

test('a dataset is looked at, planned, repaired and ingested again as an operation that others see, and refused where it cannot be', async () => {
	const service = await home.join(home.lake());
	const folder = await smallDataset(path.join(home.root, 'push'), {episodes: 2, frames: 40});
	const file = path.join(folder, 'meta/info.json');
	const info = JSON.parse(readFileSync(file, 'utf8'));
	writeFileSync(file, JSON.stringify({...info, total_frames: 9}));
	await ingestFolder(service, folder);
	const [episode] = (await exploreLocally(service)).episodes;
	const at = (what: string) => `/local/v1/datasets/${episode?.dataset_id}/${what}`;
	const post = (what: string, body: object) => call(service, at(what), {method: 'POST', body});
	/** The report once the check has ended: on a loaded machine it is asked for more than once. */
	const report = async () => {
		for (;;) {
			const found = damageReport.parse((await call(service, at('damages'))).json());
			if (found.state !== 'checking') return found;
		}
	};

	expect(await report()).toMatchObject({
		state: 'checked',
		refused: null,
		undo: null,
		damages: [{id: 'total-frames-wrong', severity: 'training-worse', repairable: true}],
	});
	const plan = repairPlan.parse((await post('repair/plan', {ids: ['total-frames-wrong']})).json());
	expect(plan).toMatchObject({files: ['meta/info.json'], refused: null, dataset_name: 'push'});
	expect(plan.free).toBeGreaterThan(plan.bytes);
	expect(JSON.parse(readFileSync(file, 'utf8')).total_frames).toBe(9);
	const unknown = await post('repair/plan', {ids: ['video-missing']});
	expect([unknown.status, unknown.text]).toEqual([422, expect.stringContaining('no repair of')]);

	const ordered = await post('repair', {ids: []});
	expect(ordered.status).toBe(202);
	const {operation_id} = ordered.json() as {operation_id: string};
	// As long as it is repaired and ingested, nobody else may.
	const second = await post('repair', {ids: []});
	if (second.status !== 409)
		throw new Error(`a second repair was answered by ${second.status} ${second.text}`);
	expect(second.text).toMatch(/push cannot be repaired while/);
	const record = async () =>
		(await call(service, `/local/v1/ingests/${operation_id}`)).json() as {
			status: {phase: string; done: boolean};
		};
	await expect.poll(async () => (await record()).status.done, {timeout: 120_000}).toBe(true);
	expect((await record()).status.phase).toBe('finalized');
	expect(JSON.parse(readFileSync(file, 'utf8')).total_frames).toBe(80);
	const after = await report();
	expect(after).toMatchObject({damages: [], undo: {repairs: ['total-frames-wrong']}});

	// Somebody changed a file since: the undo fails in a sentence, and the dataset stays as it is.
	writeFileSync(file, JSON.stringify({...info, robot_type: 'other'}));
	const back = await post('repair', {undo: after.undo?.made});
	const {operation_id: undone} = back.json() as {operation_id: string};
	const undo = async () => (await call(service, `/local/v1/ingests/${undone}`)).text;
	await expect.poll(undo, {timeout: 120_000}).toContain('"failed"');
	expect(await undo()).toContain('meta/info.json was changed after the repair');
	expect(existsSync(file)).toBe(true);

	await rename(folder, `${folder}-moved`);
	expect((await report()).refused).toContain('is not there any more');
	const gone = await post('repair', {ids: []});
	expect([gone.status, gone.text]).toEqual([409, expect.stringContaining('is not there any more')]);
}, 300_000);
