import {readFileSync} from 'node:fs';
import {expect, onTestFinished, test} from 'vitest';
import {programHome} from '../commands/support/program.ts';
import {startHostedService} from '../hosted-service/server.ts';
import {explore, isFresh} from './support.ts';

const home = programHome();

/** The texts that the output would put on a clipboard. */
function copies(output: string): readonly string[] {
	const [, ...found] = output.split('\u001b]52;c;');
	return found.map(rest => Buffer.from(rest.split('\u0007')[0] ?? '', 'base64').toString());
}

const link = /^episode:[\w.-]+\/\d+$/;

test('y copies a link to the selected episode, in the table and in its detail', async () => {
	const service = await startHostedService({episodes: 50});
	onTestFinished(() => service.close());
	const explorer = explore(home, [], {cols: 120, rows: 40, service, env: {TERM: 'xterm-kitty'}});
	await explorer.until(isFresh, 'the first episodes');
	explorer.press('y');
	await explorer.untilText('Copied the episode link.');
	const [first = ''] = copies(explorer.output());
	expect(first).toMatch(link);
	explorer.press('enter', 'n', 'y');
	await explorer.until(() => copies(explorer.output()).length === 2, 'the second copy');
	const [, second = ''] = copies(explorer.output());
	expect(second).toMatch(link);
	expect(second).not.toBe(first);
});

test('over SSH a copy is attempted and kept in a file whose path shows', async () => {
	const service = await startHostedService({episodes: 50});
	onTestFinished(() => service.close());
	const env = {SSH_TTY: '/dev/pts/9', SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22'};
	const explorer = explore(home, [], {cols: 160, rows: 40, service, env});
	await explorer.until(isFresh, 'the first episodes');
	explorer.press('y');
	await explorer.untilText('if this terminal takes it (OSC 52). It is in ~/state/lakescope/copied.txt.');
	const [copied = ''] = copies(explorer.output());
	expect(copied).toMatch(link);
	expect(readFileSync(home.at('state', 'lakescope', 'copied.txt'), 'utf8')).toBe(`${copied}\n`);
});
