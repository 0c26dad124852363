import {expect, test} from 'vitest';
import {programHome} from '../commands/support/program.ts';
import {hosted} from '../support/hosted.ts';
import type {Screen} from '../support/pty.ts';
import {explore, isFresh, isWhole, selectedRow} from './support.ts';

const home = programHome();

test('200,000 episodes: filter by a facet, go to the last row, open it, quit', async () => {
	const service = await hosted({episodes: 200_000});
	const explorer = explore(home, [], {cols: 120, rows: 40, service});
	await explorer.until(isFresh, 'the first episodes');
	await explorer.untilText('1 of 200,000');

	explorer.press('shift+tab', 'j', 'space');
	const filtered = await explorer.until(
		({rows}) => /^ \/ task:"?[\w ]+"? +1 of [\d,]+/.test(rows[1] ?? '') && !rows[1]?.includes('200,000'),
		'the filtered result',
	);
	const total = /1 of ([\d,]+)/.exec(filtered.rows[1] ?? '')?.[1] ?? '';
	expect(filtered.rows[0]).toContain(`${total} ep`);
	expect(filtered.rows.find(row => /^▸▣ \w/.test(row))).toContain(total);

	explorer.press('tab', 'G');
	await explorer.until(
		screen => screen.rows[1]?.includes(`${total} of ${total}`) && /▸ +\d/.test(screen.text),
		'the last row',
	);

	const index = /▸ *(\d+)/.exec(selectedRow(explorer.screen()) ?? '')?.[1];
	explorer.press('enter');
	const detail = await explorer.until(({text}) => /━ [\w.-]+ · \d+ ━/.test(text), 'the detail');
	expect(detail.text).toContain(`· ${index} ━`);
	expect(detail.row('dataset ')).toBeDefined();

	explorer.press('q');
	expect(await explorer.untilExit()).toEqual({code: 0, signal: undefined});
	const {requests} = service;
	expect(requests.filter(({path}) => path === '/v1/datasets/explore').length).toBeLessThan(20);
}, 40_000);

test('the filter line takes terms, points at what it cannot read, and Esc leaves it as it was', async () => {
	const service = await hosted({episodes: 1000});
	const explorer = explore(home, [], {cols: 100, rows: 24, service});
	await explorer.until(isFresh, 'the first episodes');
	explorer.press('/');
	explorer.type('tier:retrainabl');
	explorer.press('enter');
	const pointed = await explorer.untilText('expected a tier');
	expect(pointed.find('↑')?.column).toBe(pointed.find('retrainabl')?.column);
	explorer.type('e towel');
	explorer.press('enter');
	const applied = await explorer.until(
		({rows}) => rows[1]?.startsWith(' / tier:retrainable towel '),
		'the filter applied',
	);
	expect(applied.rows[1]).not.toContain('1 of 1,000');
	await explorer.until(isFresh, 'the result');
	explorer.press('/');
	explorer.type(' nonsense');
	await explorer.untilText('nonsense▏');
	explorer.press('esc');
	await explorer.until(
		({rows}) => /^ \/ tier:retrainable towel +1 of/.test(rows[1] ?? ''),
		'the filter as it was',
	);
	explorer.press('X');
	await explorer.untilText('1 of 1,000');
});

test('a result of nothing says so, and the way out of it', async () => {
	const service = await hosted({episodes: 100});
	const explorer = explore(home, ['no such words'], {service});
	await explorer.untilText('No episode matches this filter.');
	expect(explorer.screen().text).toContain('X clears it');
	explorer.press('X');
	await explorer.until(isFresh, 'all episodes');
});

test('a facet’s values can be searched among', async () => {
	const service = await hosted({episodes: {count: 2000, tasks: 400}});
	const explorer = explore(home, [], {cols: 120, rows: 40, service});
	await explorer.until(isFresh, 'the first episodes');
	expect(explorer.screen().row('Task')).toContain('400/400');
	explorer.press('shift+tab', 'f');
	await explorer.untilText('Task: ▏');
	explorer.type('battery, variant 1');
	const found = await explorer.until(
		({rows}) => rows.some(row => /Task \/bat.*━\d\d\/400/.test(row)),
		'the narrowed facet',
	);
	const listed = found.rows.filter(row => /^.▢ .*battery/.test(row));
	expect(listed.length).toBeGreaterThan(0);
	explorer.press('enter', 'j', 'enter');
	await explorer.until(({rows}) => rows[1]?.includes('battery, variant 1'), 'the filter');
});

test('columns are chosen, and remembered by the next run', async () => {
	const service = await hosted({episodes: 50});
	const options = {cols: 100, rows: 24, service, env: {XDG_STATE_HOME: home.at('state-of-columns')}};
	const headIs = (head: RegExp) => (screen: Screen) => isWhole(screen) && head.test(screen.rows[2] ?? '');
	const first = explore(home, [], options);
	await first.until(headIs(/┬━+#━dataset/), 'the columns defaults');
	first.press('c');
	await first.untilText('Columns');
	first.press('space');
	await first.until(({text}) => /12 of \d+ shown/.test(text), 'a column fewer');
	first.press('esc');
	await first.until(headIs(/┬━dataset━/), 'the table without its first column');
	first.press('q');
	expect((await first.untilExit()).code).toBe(0);
	const second = explore(home, [], options);
	await second.until(headIs(/┬━dataset━/), 'the columns as they were left');
	second.press('c');
	await second.untilText('Columns');
	second.press('d');
	await second.until(({text}) => /13 of \d+ shown/.test(text), 'as many columns defaults');
	second.press('esc');
	await second.until(headIs(/┬━+#━dataset/), 'the columns defaults');
	second.press('q');
	await second.untilExit();
});

test('the help lists what can be pressed where the user is, and closes', async () => {
	const service = await hosted({episodes: 50});
	const explorer = explore(home, [], {cols: 100, rows: 60, service});
	await explorer.until(isFresh, 'the first episodes');
	explorer.press('?');
	const help = await explorer.untilText('━ Help ━');
	for (const line of [/j {2}↓ +next episode/, /\/ +filter/, /q +quit/, /\? +help/])
		expect(help.text).toMatch(line);
	explorer.press('esc');
	await explorer.until(({text}) => !text.includes('Help'), 'the help gone');
	explorer.press('shift+tab', 'j', '?');
	expect((await explorer.untilText('━ Help ━')).text).toMatch(/space +pick/);
});

test('a burst of keys is taken whole, in its order', async () => {
	const service = await hosted({episodes: 2000});
	const explorer = explore(home, [], {service});
	await explorer.until(isFresh, 'the first episodes');
	explorer.send(`${'j'.repeat(300)}${'k'.repeat(7)}`);
	await explorer.untilText('294 of 2,000');
	explorer.send('gG');
	await explorer.untilText('2,000 of 2,000');
});

test('to the end and into the zoomed detail in one burst: the episode is there', async () => {
	const service = await hosted({episodes: 3000});
	const explorer = explore(home, [], {cols: 120, rows: 40, service});
	await explorer.until(isFresh, 'the first episodes');
	explorer.press('z');
	await explorer.until(({rows}) => rows[2]?.startsWith('━━━━'), 'the table over the whole width');
	explorer.type('G\t');
	await explorer.until(
		({rows, text}) =>
			rows[1]?.includes('3,000 of 3,000') &&
			/━ [\w.-]+ · \d+ ━/.test(rows[2] ?? '') &&
			text.includes('duration'),
		'the last episode in the detail',
	);
});
