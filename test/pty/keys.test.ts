import {mkdirSync, writeFileSync} from 'node:fs';
import {setTimeout as delay} from 'node:timers/promises';
import {describe, expect, test} from 'vitest';
import {programHome} from '../commands/support/program.ts';
import {hosted} from '../support/hosted.ts';
import {explore, isFresh} from './support.ts';

const home = programHome();

/** A configuration of its own, and the environment that leads to it. */
function configured(name: string, config: unknown): {XDG_CONFIG_HOME: string} {
	mkdirSync(home.at(name, 'lakescope'), {recursive: true});
	writeFileSync(home.at(name, 'lakescope', 'config.json'), JSON.stringify(config));
	return {XDG_CONFIG_HOME: home.at(name)};
}

describe('keys of the user’s own', () => {
	test('do what the old ones did, and are what the footer and the help show', async () => {
		const service = await hosted({episodes: 50});
		const keys = {
			'episodes.open': ['ctrl+o'],
			'episodes.next': ['t', 'down'],
			'app.help': 'f1',
		};
		const explorer = explore(home, [], {cols: 120, rows: 60, service, env: configured('own', {keys})});
		const first = await explorer.until(
			({rows}) => /^ \^O open .*f1 help$/.test(rows.at(-1) ?? '') && rows[1]?.includes('1 of 50'),
			'the footer with those keys',
		);
		expect(first.text).not.toContain('enter open');
		explorer.press('j', 't', 't');
		await explorer.until(({rows}) => rows[1]?.includes('3 of 50'), 'two rows further down');
		explorer.press('f1');
		const help = await explorer.untilText('━ Help ━');
		expect(help.text).toMatch(/t {2}↓ +next episode/);
		expect(help.text).not.toMatch(/j {2}↓ +next episode/);
	});

	test('are what sentences name, and an action without a key is named nowhere', async () => {
		const service = await hosted({episodes: 50});
		const keys = {'app.read-only': ['f1'], 'question.yes': ['J'], 'question.no': [], 'selection.pick': []};
		const explorer = explore(home, [], {cols: 120, service, env: configured('named', {keys})});
		await explorer.until(isFresh, 'the first episodes');
		explorer.press('v');
		await explorer.until(
			({text}) => text.includes('1 row: v excludes them'),
			'what the range can be done with',
		);
		explorer.press('f1');
		await explorer.untilText('Read-only: changes are off. f1 turns it off.');
		explorer.press('f1');
		await explorer.until(
			({rows}) => rows.some(row => /│ J allow +│/.test(row)),
			'the one answer that has a key',
		);
		explorer.press('J');
		await explorer.until(({text}) => !text.includes('Allow changes?'), 'the question answered');
	});

	test('unusable keys are named at the start, and the others work', async () => {
		const service = await hosted({episodes: 50});
		const keys = {'app.qiut': ['Q'], 'app.mouse': ['hyper+m'], 'episodes.next': ['q', 'j']};
		const env = configured('wrong', {keys});
		const explorer = explore(home, [], {cols: 160, rows: 40, service, env});
		await explorer.untilText('“q” of app.quit is taken by episodes.next');
		explorer.press('q');
		await explorer.until(({rows}) => rows[1]?.includes('2 of 50'), 'the next row');
		const {stdout, code} = await home.run(['doctor', '--url', service.url], {
			...env,
			LAKESCOPE_API_KEY: service.key,
		});
		expect(stdout).toMatch(/!! {2}keys .*there is no action “app\.qiut” to rebind; there are .*app\.quit/);
		expect(stdout).toMatch(/!! {2}keys .*keys of app\.mouse: “hyper\+m” is not a key/);
		expect(stdout).toMatch(/ok {2}keys .*own ones for episodes\.next/);
		expect(code).toBe(1);
	});
});

describe('what a terminal sends', () => {
	// The clock of this one is real: a machine that stands still for a moment widens the gap.
	test('an arrow that a network splits stays an arrow', {retry: 2}, async () => {
		const service = await hosted({episodes: 50});
		const explorer = explore(home, [], {service});
		await explorer.until(isFresh, 'the first episodes');
		explorer.press('enter');
		await explorer.until(({text}) => /━ [\w.-]+ · \d+ ━/.test(text), 'the detail');
		for (const part of ['\u001b', '[', 'B']) {
			explorer.send(part);
			await delay(40);
		}
		// An escape would have closed the detail.
		explorer.press('n');
		await explorer.until(({text}) => /━ [\w.-]+ · 1 ━/.test(text), 'the next episode, in the detail');
	});

	test('a paste runs no command, and late replies are not typed', async () => {
		const service = await hosted({episodes: 50});
		const explorer = explore(home, [], {service});
		await explorer.until(isFresh, 'the first episodes');
		explorer.paste('q\nq\u0003');
		explorer.send('\u001b[?62;22c\u001b]11;rgb:0000/0000/0000\u0007\u001b[3;1R\u001bP>|xterm(370)\u001b\\');
		explorer.press('j');
		await explorer.until(({rows}) => rows[1]?.includes('2 of 50'), 'the next row');
		explorer.press('/');
		explorer.paste('fold\nthe towel');
		await explorer.until(({rows}) => /^ \/ fold.the towel▏/.test(rows[1] ?? ''), 'the paste in the filter');
	});

	test('return and tab inside a burst count', async () => {
		const service = await hosted({episodes: 50});
		const explorer = explore(home, [], {cols: 100, service});
		await explorer.until(isFresh, 'the first episodes');
		explorer.send('/towel\rjj\t\u001b[Z');
		await explorer.until(
			({rows}) => /^ \/ towel +3 of \d+/.test(rows[1] ?? '') && rows.join('\n').includes('▸'),
			'the third of those found',
		);
	});
});

describe('the kitty keyboard protocol', () => {
	const push = '\u001b[>1u';
	const pop = '\u001b[<u';

	test('is used where the terminal has it, and ended with the program', async () => {
		const service = await hosted({episodes: 50});
		const explorer = explore(home, [], {service, knowsKitty: true});
		await explorer.until(isFresh, 'the first episodes');
		await explorer.until(() => explorer.output().includes(push), 'the protocol on');
		explorer.send('\u001b[106u\u001b[106;1:1u\u001b[106;1:3u');
		await explorer.until(({rows}) => rows[1]?.includes('3 of 50'), 'two rows further down');
		explorer.send('\u001b[99;5u');
		expect((await explorer.untilExit()).code).toBe(0);
		const output = explorer.output();
		expect(output.split(pop)).toHaveLength(2);
		// The alternate screen has flags of its own.
		expect(output.indexOf(pop)).toBeLessThan(output.lastIndexOf('\u001b[?1049l'));
	});

	test('is left off where the terminal does not report it', async () => {
		const service = await hosted({episodes: 50});
		const explorer = explore(home, [], {service});
		await explorer.until(isFresh, 'the first episodes');
		explorer.press('q');
		await explorer.untilExit();
		expect(explorer.output()).toContain('\u001b[?u');
		expect(explorer.output()).not.toContain(push);
		expect(explorer.output()).not.toContain(pop);
	});
});
