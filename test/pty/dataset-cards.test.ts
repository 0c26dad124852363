import {writeFile} from 'node:fs/promises';
import path from 'node:path';
import {expect, test} from 'vitest';
import {programHome} from '../commands/support/program.ts';
import {isSoak} from '../faults/support/soak.ts';
import {smallDataset} from '../service/support/small-dataset.ts';
import type {PtyProgram} from '../support/pty.ts';
import {explore, isFresh} from './support.ts';

const home = programHome();

/** Cards that take a reader of Markdown, or who lays them out, longer than anybody waits. */
const cards: Readonly<Record<string, string>> = {
	emphasis: '*a_'.repeat(10_000),
	strong: '**a __b '.repeat(4000),
	brackets: '['.repeat(30_000),
	links: '[a]('.repeat(8000),
	quotes: `${'>'.repeat(20_000)} deep`,
	lists: Array.from({length: 250}, (_, depth) => `${'  '.repeat(depth)}- x`).join('\n'),
	backticks: Array.from({length: 240}, (_, count) => '`'.repeat(count)).join(' '),
	table: `|${'a|'.repeat(3000)}\n|${'-|'.repeat(3000)}\n|${'b|'.repeat(3000)}`,
	wide: '機'.repeat(30_000),
	tags: '<a '.repeat(10_000),
};

async function lakeOf(name: string, card: string): Promise<string> {
	const folder = await smallDataset(home.at('datasets', name));
	await writeFile(path.join(folder, 'README.md'), card);
	const lake = home.at(`lake-${name}`);
	expect(await home.run(['ingest', folder, '--lake', lake])).toMatchObject({code: 0});
	return lake;
}

/** Opens the dataset of a lake, on a screen that holds all of it up to its card. */
async function openedIn(lake: string): Promise<PtyProgram> {
	const explorer = explore(home, ['--lake', lake], {cols: 100, rows: 110});
	await explorer.until(isFresh, 'the lake');
	explorer.press('4');
	await explorer.until(({text}) => text.includes('━ Datasets ━') && text.includes('▸local/'), 'the dataset');
	explorer.press('enter');
	await explorer.until(({text}) => /━ local\/[\w-]+ ━/.test(text), 'it opened');
	return explorer;
}

test('a card that takes seconds to parse delays no key, and shows in the end', async () => {
	const explorer = await openedIn(await lakeOf('emphasis', cards.emphasis ?? ''));
	await explorer.untilText('Loading the card.');
	explorer.press('?');
	const help = await explorer.until(({text}) => /━ (Help|Keys)/.test(text), 'the help, while it is read');
	expect(help.text).not.toContain('*a_*a_*a_');
	explorer.press('esc');
	await explorer.untilText('*a_*a_*a_*a_');
	explorer.press('ctrl+c');
	expect(await explorer.untilExit()).toMatchObject({code: 0});
}, 120_000);

const rounds = 20;

/** Milliseconds from a key to what it does, the 95th percentile. */
async function keyP95(explorer: PtyProgram): Promise<number> {
	const times: number[] = [];
	for (let round = 0; round < rounds; round++) {
		const before = performance.now();
		explorer.press('?');
		await explorer.until(({text}) => /━ (Help|Keys)/.test(text), 'the help');
		times.push(performance.now() - before);
		explorer.press('esc');
		await explorer.until(({text}) => !/━ (Help|Keys)/.test(text), 'the help gone');
	}
	return times.toSorted((a, b) => a - b)[Math.ceil(rounds * 0.95) - 1] ?? Number.NaN;
}

test.runIf(isSoak)(
	'a key takes at most twice as long while the card of any of ten hostile datasets is open',
	async () => {
		const calm = await openedIn(await lakeOf('calm', '# Folding'));
		await calm.untilText('Folding');
		const idle = await keyP95(calm);
		calm.press('ctrl+c');
		await calm.untilExit();
		for (const [name, card] of Object.entries(cards)) {
			const explorer = await openedIn(await lakeOf(`hostile-${name}`, card));
			const open = await keyP95(explorer);
			console.log(`card ${name}: a key takes ${open.toFixed(1)} ms, idle ${idle.toFixed(1)} ms`);
			expect(open / idle).toBeLessThanOrEqual(2);
			explorer.press('ctrl+c');
			await explorer.untilExit();
		}
	},
	600_000,
);
