import {existsSync} from 'node:fs';
import {expect, test} from 'vitest';
import {programHome} from '../commands/support/program.ts';
import {startHostedService} from '../hosted-service/server.ts';
import {smallDataset} from '../service/support/small-dataset.ts';
import {explore, isFresh} from './support.ts';

const home = programHome();

test('in the datasets view a dataset is forgotten after a question that names what is kept', async () => {
	const lake = home.at('lake');
	const push = await smallDataset(home.at('push'), {episodes: 3});
	const pull = await smallDataset(home.at('pull'), {episodes: 2});
	await home.run(['ingest', '--lake', lake, push, pull]);
	const explorer = explore(home, ['--lake', lake], {cols: 120, rows: 30});
	await explorer.until(isFresh, 'the lake');
	explorer.press('4');
	await explorer.until(({text}) => /▸local\/pull/.test(text) && text.includes('local/push'), 'both datasets');
	explorer.press('x');
	await explorer.until(
		({text}) => text.includes('Forget the dataset?') && text.includes('pull: 2 episodes leave the lake'),
		'the question',
	);
	expect(explorer.screen().text).toContain('is not touched');
	explorer.press('n');
	await explorer.until(({text}) => !text.includes('Forget the dataset?'), 'no question');
	explorer.press('x');
	await explorer.untilText('Forget the dataset?');
	explorer.press('y');
	await explorer.until(
		({text}) => text.includes('pull is forgotten: 2 episodes') && !text.includes('local/pull'),
		'one dataset',
	);
	explorer.press('1');
	await explorer.untilText('3 ep ·');
	expect(existsSync(pull)).toBe(true);
	explorer.press('q');
	expect((await explorer.untilExit()).code).toBe(0);
}, 60_000);

test('on a hosted service the key says that datasets cannot be forgotten', async () => {
	const service = await startHostedService({episodes: 3});
	const explorer = explore(home, [], {cols: 120, rows: 30, service});
	await explorer.until(isFresh, 'the lake');
	explorer.press('4');
	await explorer.until(({text}) => text.includes('▸acme/'), 'datasets');
	explorer.press('x');
	await explorer.untilText('A hosted service cannot forget datasets');
	explorer.press('q');
	expect((await explorer.untilExit()).code).toBe(0);
	await service.close();
}, 60_000);
