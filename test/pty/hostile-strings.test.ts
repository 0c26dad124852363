import {describe, expect, onTestFinished, test} from 'vitest';
import {programHome} from '../commands/support/program.ts';
import {patience, randomFrom, times} from '../faults/support/soak.ts';
import type {Fault} from '../hosted-service/faults.ts';
import {startHostedService} from '../hosted-service/server.ts';
import type {Screen} from '../support/pty.ts';
import {foreignControls} from './support/foreign-controls.ts';
import {hostileString} from './support/hostile-strings.ts';
import {explore, isWhole} from './support.ts';

const home = programHome();

/** Ids, hashes and moments. */
const strict = /^[\da-f-]{36}$|^[\da-f]{64}$|^\d{4}-\d\d-\d\dT/;

/** Writes other strings into what a service answers. @returns how many it has written. */
function withStrings(random: () => number): {fault: Fault; count: () => number} {
	let count = 0;

	function changed(value: unknown, name = ''): unknown {
		if (typeof value === 'string') {
			// Most of what has a pattern stays: a list whose every element is set aside shows nothing.
			const hasPattern = name === 'dataset_name' || strict.test(value);
			if (random() < (hasPattern ? 0.98 : 0.1)) return value;
			count++;
			return hostileString(random);
		}
		if (Array.isArray(value)) return value.map(part => changed(part, name));
		if (typeof value !== 'object' || value === null) return value;
		return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, changed(part, key)]));
	}

	return {
		count: () => count,
		async fault({request, settle, send}) {
			const answer = await settle();
			if ('stream' in answer) return send(answer);
			if (random() < 0.05 && request.path !== '/v1/datasets/explore') {
				return send({status: 422, json: changed({detail: 'no'})});
			}
			send({...answer, json: changed(answer.json)});
		},
	};
}

/** The view of that title is there, and what the service answered of it. */
const view = (title: string) => (screen: Screen) =>
	screen.text.includes(`━ ${title} ━`) && !screen.rows[0]?.includes('loading');

/** Keys, and what shows before the next ones: a view that is left before its answer came would show nothing of it. */
const walk: readonly (readonly [keys: readonly string[], shows?: (screen: Screen) => boolean])[] = [
	[['j', 'j', 'enter', 'pagedown', 'esc', 'shift+tab', 'j', 'space', 'space', 'tab', 'c', 'esc']],
	[['2'], view('Uploads')],
	[['j', 'enter', 'esc', '3'], view('Jobs')],
	[['j', 'enter', 'esc', '4'], view('Datasets')],
	[['j', 'enter', 'esc', '5'], view('Models')],
	[['j', '6'], view('Projects')],
	[['j', '7', 'j', '1', 'G', '/', 'f', 'esc', 'r', 'pageup', 'pageup', '>', '>', '<', 'ctrl+d']],
];

describe('control sequences in every field of every answer', () => {
	test.each([
		['cells', 100, 30],
		['ink', 80, 24],
	] as const)(
		'none is obeyed, and no row is wider than the screen (%s, %i×%i)',
		{timeout: patience(times(3, 20), 90_000)},
		async (writer, cols, rows) => {
			const random = randomFrom(cols);
			let written = 0;
			for (let round = 0; round < times(3, 20); round++) {
				const {fault, count} = withStrings(random);
				const service = await startHostedService({episodes: {count: 2000}});
				onTestFinished(() => service.close());
				service.setFault('*', fault);
				const explorer = explore(home, [], {cols, rows, service, env: {LAKESCOPE_WRITER: writer}});
				await explorer.until(screen => isWhole(screen) && screen.text.includes('▸'), 'the first episodes');
				// As a sequence, so that what follows is not taken for a part of it.
				const press = (key: string) => (key === 'esc' ? explorer.send('\u001b[27u') : explorer.press(key));
				for (const [keys, shows] of walk) {
					for (const key of keys) {
						press(key);
						const screen = await explorer.settled();
						expect(screen.rows.filter(row => row.startsWith(' lakescope ')).length).toBeLessThan(2);
					}
					if (shows) await explorer.until(shows, `what follows ${keys.join(' ')}`);
				}
				for (const key of ['esc', 'esc', 'esc', '1', 'esc']) press(key);
				const before = count();
				// A dialog that the walk left open may take the first keys.
				const readAgain = () => {
					for (const key of ['esc', '1', 'r']) press(key);
					return count();
				};
				await expect
					.poll(readAgain, {timeout: 45_000, interval: 3000, message: 'a page read again'})
					.toBeGreaterThan(before + 200);
				const screen = await explorer.until(
					shown => isWhole(shown) && shown.rows[0]?.startsWith(' lakescope '),
					'every row in its place',
				);
				expect(screen.isAlternate).toBe(true);
				// They are on the screen, as what they are.
				expect(explorer.output()).toMatch(/␛|\\x9b/);
				expect(foreignControls(explorer.output())).toEqual([]);
				explorer.press('ctrl+c');
				expect(await explorer.untilExit()).toMatchObject({code: 0});
				written += count();
			}
			expect(written).toBeGreaterThan(times(1000, 10_000));
		},
	);
});
