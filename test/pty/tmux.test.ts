import {describe, expect, inject, test} from 'vitest';
import {programHome} from '../commands/support/program.ts';
import {isSoak} from '../faults/support/soak.ts';
import type {HostedService} from '../hosted-service/server.ts';
import {hosted} from '../support/hosted.ts';
import {startInTmux, type TmuxPane, tmuxVersion} from '../support/tmux.ts';
import {explore, isFresh} from './support.ts';

const home = programHome();

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const commandLine = () => [process.execPath, inject('cli')].map(quoted).join(' ');

function startPane(service: HostedService, command: string, cols: number, rows: number): Promise<TmuxPane> {
	const env = {...home.env, LAKESCOPE_URL: service.url, LAKESCOPE_API_KEY: service.key};
	return startInTmux(command, {cols, rows, folder: home.root, env});
}

const skipped = isSoak ? tmuxVersion === undefined && 'no tmux is installed' : 'only in npm run soak';

/** What is pressed, as a terminal's and as tmux's own name of the key. */
const script: readonly (readonly [string, string])[] = [
	['j', 'j'],
	['j', 'j'],
	['ctrl+d', 'C-d'],
	['pagedown', 'PageDown'],
	['k', 'k'],
	['enter', 'Enter'],
	['n', 'n'],
	['n', 'n'],
	['N', 'N'],
	['esc', 'Escape'],
	['tab', 'Tab'],
	['shift+tab', 'BTab'],
	['shift+tab', 'BTab'],
	['down', 'Down'],
	['space', 'Space'],
	['tab', 'Tab'],
	['G', 'G'],
	['?', '?'],
	['esc', 'Escape'],
	['c', 'c'],
	['space', 'Space'],
	['esc', 'Escape'],
	['X', 'X'],
	['o', 'o'],
	['G', 'G'],
	['g', 'g'],
	['right', 'Right'],
];

describe.skipIf(skipped)(`inside ${tmuxVersion ?? 'tmux'}${skipped ? ` (${skipped})` : ''}`, () => {
	test.each([
		[80, 24],
		[120, 40],
		[200, 50],
	])(
		'the same keys give the same screens as outside (%i×%i)',
		async (cols, rows) => {
			const service = await hosted({episodes: 500});
			const inside = await startPane(service, commandLine(), cols, rows);
			const outside = explore(home, [], {cols, rows, service});
			await outside.until(isFresh, 'the first episodes');
			await inside.untilSame(() => outside.screen().rows);
			for (const [key, tmuxKey] of script) {
				const before = outside.screen().text;
				outside.press(key);
				await inside.keys(tmuxKey);
				await outside.until(({text}) => text !== before, `what ${key} changes`);
				await inside.untilSame(() => outside.screen().rows);
			}
			await inside.type('/towel');
			outside.type('/towel');
			await outside.until(({rows: shown}) => shown[1]?.includes('towel▏'), 'the filter typed');
			await inside.untilSame(() => outside.screen().rows);
		},
		300_000,
	);

	test('^Z, fg and a resize while stopped draw everything anew', async () => {
		const service = await hosted({episodes: 500});
		const pane = await startPane(service, "PS1='prompt> ' exec sh -i", 100, 30);
		await pane.until(rows => rows.includes('prompt>'), 'the prompt');
		await pane.type(commandLine());
		await pane.keys('Enter');
		const outside = explore(home, [], {cols: 100, rows: 30, service});
		await outside.until(isFresh, 'the first episodes');
		await pane.untilSame(() => outside.screen().rows);
		const isAtPrompt = (rows: readonly string[]) => rows.findLast(row => row !== '') === 'prompt>';
		await pane.keys('C-z');
		await pane.until(isAtPrompt, 'the prompt again');
		await pane.type('fg');
		await pane.keys('Enter');
		await pane.untilSame(() => outside.screen().rows);
		await pane.keys('C-z');
		await pane.until(isAtPrompt, 'the prompt again');
		await pane.resize(130, 44);
		outside.resize(130, 44);
		await pane.type('fg');
		await pane.keys('Enter');
		await pane.untilSame(() => outside.screen().rows);
		await pane.keys('q');
		await pane.until(isAtPrompt, 'the prompt at the end');
	}, 200_000);

	test('y copies into tmux, which accepts no OSC 52 from programs by default', async () => {
		const service = await hosted({episodes: 500});
		const pane = await startPane(service, commandLine(), 120, 40);
		await pane.until(rows => /▸ +\d/.test(rows.join('\n')), 'the first episodes');
		await pane.keys('y');
		await pane.until(rows => rows.join('\n').includes('tmux has it too (prefix ])'), 'the words');
		expect(await pane.buffer()).toMatch(/^episode:/);
	}, 100_000);
});
