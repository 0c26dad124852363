import {expect, inject, test} from 'vitest';
import {startHostedService} from '../hosted-service/server.ts';
import {smallDataset} from '../service/support/small-dataset.ts';
import {startInPty} from '../support/pty.ts';
import {programHome} from './support/program.ts';

const home = programHome();

function start(
	args: readonly string[],
	{cols = 80, env = {}}: {cols?: number; env?: Record<string, string>} = {},
) {
	return startInPty(process.execPath, [inject('cli'), ...args], {
		cols,
		rows: 24,
		cwd: home.root,
		env: {...home.env, ...env},
	});
}

test('a table is as wide as the terminal and no line of it wraps', async () => {
	const service = await startHostedService({episodes: {count: 60, hostile: true}});
	try {
		const env = {LAKESCOPE_URL: service.url, LAKESCOPE_API_KEY: service.key};
		for (const cols of [60, 80, 200]) {
			const program = start(['episodes', '--limit', '20'], {cols, env});
			expect((await program.untilExit()).code).toBe(0);
			const rows = (await program.settled()).rows.filter(row => row.trim() !== '');
			expect(rows).toHaveLength(21);
			expect(rows[0]).toMatch(/^dataset +# +s +frames +Q +tier/);
		}
	} finally {
		await service.close();
	}
});

/** What is on the screen, without the rows that hold nothing. */
const linesOf = ({rows}: {rows: readonly string[]}) =>
	rows.map(row => row.trimEnd()).filter(row => row !== '');

const spins = /\r[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏](?=\r)/g;

test('on a terminal an ingest moves a bar with a spinner and leaves only its result', async () => {
	const folder = await smallDataset(home.at('push-1'), {episodes: 100, frames: 300});
	const program = start(['ingest', '--lake', home.at('lake'), folder]);
	expect((await program.untilExit()).code).toBe(0);
	expect(program.output()).toMatch(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] push-1 {2}(?:queued|preparing)/);
	// A turn of the spinner is four bytes, and writes nothing else anew.
	expect(program.output().match(spins)?.length).toBeGreaterThan(0);
	// What it says of the episodes is not this test's: their curves hold no noise, which no arm does.
	const left = linesOf(await program.settled()).join('\n');
	expect(left).toMatch(/^push-1: \S+ of 100 suspect$/m);
	expect(left).not.toMatch(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏█]|queued|preparing/);
});

test('over SSH nothing turns, and the bar moves on alone', async () => {
	const folder = await smallDataset(home.at('push-4'), {episodes: 100, frames: 300});
	const program = start(['ingest', '--lake', home.at('lake-ssh'), folder], {env: {SSH_TTY: '/dev/pts/9'}});
	expect((await program.untilExit()).code).toBe(0);
	expect(program.output()).toMatch(/\rpush-4 {2}(?:queued|preparing)/);
	expect(program.output()).not.toMatch(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/);
});

test('doctor draws a table on a terminal of 60 columns, and below it what its cells cut', async () => {
	const program = startInPty(process.execPath, [inject('cli'), 'doctor', '--lake', home.at('lake-doctor')], {
		cols: 60,
		rows: 200,
		cwd: home.root,
		env: home.env,
	});
	expect((await program.untilExit()).code).toBe(0);
	const rows = linesOf(await program.settled());
	const framed = rows.filter(row => /^[┌├│└]/.test(row));
	expect(framed.length).toBeGreaterThan(40);
	for (const [at, row] of framed.entries()) {
		expect(row).toMatch(/^(?:[┌├└][─┬┼┴]+[┐┤┘]|│.*│)$/);
		// A table goes from its top line to its bottom line at one width.
		if (!row.startsWith('┌')) expect(row.length).toBe(framed[at - 1]?.length);
	}
	const text = rows.join(' ').replaceAll(/ +/g, ' ');
	expect(text).toContain('not called: POST /v1/finetune');
	expect(text).toContain('they change something');
});

test('of several folders the explorer opens on those that got in, and tells which did not; on none it stays shut', async () => {
	const lake = home.at('lake-some');
	const held = await smallDataset(home.at('held', 'push-2'), {episodes: 1});
	const refused = await smallDataset(home.at('refused', 'push-2'), {episodes: 1});
	const taken = await smallDataset(home.at('push-3'), {episodes: 2});
	expect((await home.run(['ingest', '--lake', lake, held])).code).toBe(0);
	const none = start(['--lake', lake, refused]);
	expect((await none.untilExit()).code).toBe(1);
	expect((await none.settled()).text).toContain('push-2: The lake has a dataset named push-2 already');
	const some = start(['--lake', lake, taken, refused]);
	await some.until(({rows}) => rows[1]?.includes('dataset:push-3') === true, 'what got in');
	some.press('!');
	await some.until(
		({text}) =>
			text.includes('━ Messages ━') && text.includes('▲ push-2: The lake has a dataset named push-2'),
		'the refusal among the messages',
	);
	some.press('esc');
	await some.until(({text}) => !text.includes('━ Messages ━'), 'the messages gone');
	some.press('q');
	expect((await some.untilExit()).code).toBe(0);
});

test('^C ends an ingest’s command with words; what runs goes on', async () => {
	await smallDataset(home.at('many/a'), {episodes: 300, frames: 600});
	await smallDataset(home.at('many/b'), {episodes: 1});
	const lake = home.at('lake-interrupted');
	const program = start(['ingest', '--lake', lake, home.at('many')]);
	await program.untilText('preparing');
	program.press('ctrl+c');
	expect(await program.untilExit()).toMatchObject({code: 130});
	await program.untilText('continues in the background');
	const deadline = Date.now() + 20_000;
	for (let total = 0; total !== 300; ) {
		expect(Date.now()).toBeLessThan(deadline);
		({total} = JSON.parse((await home.run(['episodes', '--lake', lake, '--json', '--limit', '1'])).stdout));
	}
	const {stdout} = await home.run(['datasets', '--lake', lake, '--json']);
	expect(JSON.parse(stdout).items.map(({path}: {path: string}) => path)).toEqual(['local/a']);
});
