import {describe, expect, onTestFinished, test} from 'vitest';
import {programHome} from '../commands/support/program.ts';
import {patience, randomFrom, times} from '../faults/support/soak.ts';
import type {Fault} from '../hosted-service/faults.ts';
import {startHostedService} from '../hosted-service/server.ts';
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
			if (random() < 0.05 && request.path !== '/lake/explore') {
				return send({status: 422, json: changed({detail: 'no'})});
			}
			send({...answer, json: changed(answer.json)});
		},
	};
}

const walk = [
	...['j', 'j', 'enter', 'pagedown', 'esc', 'shift+tab', 'j', 'space', 'space', 'tab', 'c', 'esc'],
	...[
		'2',
		'j',
		'enter',
		'esc',
		'3',
		'j',
		'enter',
		'esc',
		'4',
		'j',
		'enter',
		'esc',
		'5',
		'j',
		'6',
		'j',
		'7',
		'j',
	],
	...['1', 'G', '/', 'f', 'esc', 'r', 'pageup', 'pageup', '>', '>', '<', 'ctrl+d'],
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
				await explorer.until(isWhole, 'the first frame');
				// As a sequence, so that what follows is not taken for a part of it.
				const press = (key: string) => (key === 'esc' ? explorer.send('\u001b[27u') : explorer.press(key));
				for (const key of walk) {
					press(key);
					const screen = await explorer.settled();
					expect(screen.rows.filter(row => row.startsWith(' lakescope ')).length).toBeLessThan(2);
				}
				for (const key of ['esc', 'esc', 'esc', '1', 'esc']) press(key);
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
