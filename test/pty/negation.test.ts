import {expect, onTestFinished, test} from 'vitest';
import {programHome} from '../commands/support/program.ts';
import {startHostedService} from '../hosted-service/server.ts';
import {writeLerobotDataset} from '../support/lerobot-dataset.ts';
import type {Screen} from '../support/pty.ts';
import {explore, isFresh} from './support.ts';

const home = programHome();
const line = ({rows}: Screen) => rows[1] ?? '';

test('an exclusion is completed, counted, applied, remembered, and lifted by picking the value', async () => {
	const folder = home.at('tagged');
	const lake = home.at('lake');
	const tasks = ['fold', 'fold', 'wipe', 'wipe', 'pour'];
	await writeLerobotDataset(folder, {
		episodes: tasks.map((task, index) => ({tasks: [task], tags: index < 3 ? ['night'] : []})),
	});
	expect(await home.run(['ingest', '--lake', lake, folder])).toMatchObject({code: 0});
	const explorer = explore(home, ['--lake', lake], {cols: 120, rows: 40});
	await explorer.until(isFresh, 'the lake');
	explorer.press('/');
	explorer.type('!tag:ni');
	await explorer.untilText('│night');
	explorer.press('tab');
	await explorer.until(shown => /^ \/ !tag:night ?▏ +2 match$/.test(line(shown)), 'how many are left');
	explorer.type('-task:');
	await explorer.until(({text}) => /│wipe +a task /.test(text), 'the tasks');
	explorer.type('wipe');
	await explorer.until(shown => /-task:wipe▏ +1 match$/.test(line(shown)), 'what both leave');
	explorer.press('enter');
	const applied = await explorer.until(
		shown => line(shown).startsWith(' / -task:wipe -tag:night ') && isFresh(shown),
		'the filter as it is printed',
	);
	expect(applied.rows.filter(row => /[▸▹] +\d+ +tagged /.test(row))).toHaveLength(1);
	// A facet is counted without its own filter, so the task that is left out can be picked.
	expect(applied.text).toMatch(/▢ wipe +1 /);
	explorer.press('q');
	await explorer.untilExit();

	const again = explore(home, ['--lake', lake], {cols: 120, rows: 40});
	await again.until(
		shown => line(shown).startsWith(' / -task:wipe -tag:night ') && isFresh(shown),
		'it, kept',
	);
	again.press('shift+tab');
	await again.until(({text}) => /▸Task/.test(text), 'the facets');
	again.press('j', 'j', 'space');
	await again.until(shown => / \/ task:(pour|wipe) /.test(line(shown)), 'a task that was picked');
	again.press('ctrl+c');
	await again.untilExit();
}, 120_000);

test('on a hosted service a message says that values cannot be excluded', async () => {
	const service = await startHostedService({episodes: 40});
	onTestFinished(() => service.close());
	const explorer = explore(home, [], {cols: 120, rows: 40, service});
	await explorer.until(isFresh, 'the lake');
	explorer.press('/');
	explorer.type('-tag:night ');
	await explorer.until(
		({text}) =>
			text.includes("it has no filter that leaves values out (-key:value); lakescope's own service has"),
		'the reason, below the term',
	);
	const asked = service.requests.filter(({body}) => JSON.stringify(body ?? {}).includes('"not"'));
	expect(asked).toEqual([]);
	explorer.press('esc');
	await explorer.until(isFresh, 'the lake as it was');
	explorer.press('ctrl+c');
	await explorer.untilExit();
}, 60_000);
