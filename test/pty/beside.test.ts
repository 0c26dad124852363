import {expect, onTestFinished, test} from 'vitest';
import {programHome} from '../commands/support/program.ts';
import {startHostedService} from '../hosted-service/server.ts';
import {explore, isFresh} from './support.ts';

const home = programHome();
const operation = '00000000-0000-4000-8000-000000000001';
const repo = '00000000-0000-4000-8000-000000000008';

test('a large terminal shows uploads and jobs under way below the lake, a smaller one the lake alone', async () => {
	const service = await startHostedService({episodes: 60});
	onTestFinished(() => service.close());
	const explorer = explore(home, [], {cols: 160, rows: 48, service});
	const isBeside = (row: string) => /^─ Uploads ─+ Jobs ─/.test(row);
	await explorer.until(
		screen => isFresh(screen) && / Jobs ─/.test(screen.text) && screen.text.includes('● running'),
		'the lake and the running jobs',
	);
	service.state.syncs.set(operation, {phase: 'preparing', done: false});
	service.state.events.publish({
		event: 'pipeline',
		data: {operation_id: operation, repo_id: repo, dataset_name: 'new-cups', phase: 'preparing'},
	});
	await explorer.until(
		({rows, text}) =>
			rows.some(isBeside) && /new-cups +\S preparing/.test(text) && text.includes('● running'),
		'the upload at the left of the jobs',
	);
	explorer.resize(120, 40);
	await explorer.until(
		({columns, rows, text}) => columns === 120 && !rows.some(isBeside) && /▸ +\d/.test(text),
		'the lake alone',
	);
	explorer.press('q');
	expect((await explorer.untilExit()).code).toBe(0);
}, 60_000);

test('a terminal that prints lines gets no new line each second while a job runs', async () => {
	const service = await startHostedService({episodes: 60});
	onTestFinished(() => service.close());
	const explorer = explore(home, [], {cols: 160, rows: 48, service, env: {TERM: 'dumb'}});
	await explorer.until(() => explorer.output().includes('* live'), 'the lake');
	explorer.press('3');
	await explorer.until(() => explorer.output().includes('* running'), 'the running jobs');
	const before = explorer.output().length;
	const since = () => explorer.output().slice(before);
	explorer.press('1', 'j');
	await explorer.until(() => since().includes('2 of 60'), 'the next row');
	expect(since()).not.toMatch(/ Jobs -/);
	explorer.press('q');
	expect((await explorer.untilExit()).code).toBe(0);
}, 60_000);
