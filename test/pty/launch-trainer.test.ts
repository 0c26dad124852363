import {once} from 'node:events';
import path from 'node:path';
import type {Readable} from 'node:stream';
import {expect, onTestFinished, test} from 'vitest';
import {programHome} from '../commands/support/program.ts';
import {call} from '../service/support/call.ts';
import {writeLerobotDataset} from '../support/lerobot-dataset.ts';
import type {PtyProgram} from '../support/pty.ts';
import {standIn} from '../support/trainer/stand-in.ts';
import {explore, isFresh} from './support.ts';

const home = programHome();
const lake = home.at('lake');

/** How a text for the clipboard begins (OSC 52). */
const clipboard = '\u001b]52;c;';

/** Fills the form for the dataset of the lake, to the page that shows the request. */
async function launchPage(explorer: PtyProgram): Promise<void> {
	await explorer.until(isFresh, 'the lake');
	explorer.press('4');
	await explorer.until(({text}) => text.includes('▸local/cups'), 'the dataset');
	explorer.press('l');
	await explorer.until(({text}) => text.includes('enter creates "default"'), 'the form');
	explorer.press('enter');
	await explorer.until(({text}) => /▸ +act /.test(text) && text.includes('Image keys: '), 'the types');
	explorer.press('enter');
	await explorer.until(({text}) => /▸ front +\?/.test(text), 'the camera');
	explorer.press('enter');
	await explorer.until(({text}) => /▸ hours/.test(text), 'the training');
	explorer.type('1');
	explorer.press('pagedown', 'pagedown');
}

test('an explorer whose shell has a trainer is told to train on it by a service that was started without', async () => {
	const folder = home.at('recordings', 'cups');
	const episodes = [{tasks: ['fold'], frames: 30}];
	await writeLerobotDataset(folder, {cameras: ['observation.images.front'], episodes});
	expect(await home.run(['ingest', folder, '--lake', lake])).toMatchObject({code: 0});
	const first = explore(home, ['--lake', lake], {cols: 100, rows: 30});
	await first.until(isFresh, 'the service that runs without a trainer');

	const PATH = `${path.dirname(standIn)}:${process.env.PATH}`;
	const env = {PATH, TERM: 'xterm-kitty'};
	const explorer = explore(home, ['--lake', lake], {cols: 100, rows: 30, env});
	await launchPage(explorer);
	await explorer.until(
		({text}) => text.includes('on this machine') && text.includes('y launches'),
		'that it is trained here',
	);
	// Who trains it elsewhere takes the line along.
	explorer.press('c');
	await explorer.until(() => explorer.output().includes(clipboard), 'the copy');
	const [, copied = ''] = explorer.output().split(clipboard);
	const line = Buffer.from(copied.split('\u0007')[0] ?? '', 'base64').toString();
	expect(line).toMatch(/^lerobot-train --policy\.type=act --policy\.push_to_hub=false /);
	expect(line).toContain(` --dataset.root=${folder} `);
	explorer.press('ctrl+r', 'ctrl+x');
	await explorer.until(({text}) => !text.includes('Launch a fine-tune'), 'the form closed');
	for (const each of [explorer, first]) {
		each.press('q');
		expect((await each.untilExit()).code).toBe(0);
	}
}, 120_000);

test('a service that a person started with serve keeps the trainer of that shell: who joins is told what it has', async () => {
	const own = home.at('lake-served');
	const folder = home.at('served', 'cups');
	await writeLerobotDataset(folder, {cameras: ['observation.images.front'], episodes: [{frames: 30}]});
	expect(await home.run(['ingest', folder, '--lake', own])).toMatchObject({code: 0});
	const served = home.start(['serve', '--lake', own], {LAKESCOPE_API_KEY: 'key-of-the-lab'});
	onTestFinished(() => {
		served.kill('SIGTERM');
	});
	const [line] = (await once(served.stdout as Readable, 'data')) as [Buffer];
	const service = {url: line.toString().slice('listening '.length).trim(), key: 'key-of-the-lab'};
	const PATH = `${path.dirname(standIn)}:${process.env.PATH}`;
	const before = (await call(service, '/local/v1/trainer')).json();
	expect(before).toMatchObject({command: null});
	const told = await call(service, '/local/v1/trainer/environment', {body: {PATH}});
	expect([told.status, told.json()]).toEqual([
		409,
		{detail: 'it was started with "lakescope serve" and looks for its trainer where that was started'},
	]);
	expect((await call(service, '/local/v1/trainer')).json()).toEqual(before);
	const {abilities} = (await call(service, '/local/v1')).json<{abilities: string[]}>();
	expect(abilities).not.toContain('trainer-environment');

	// An explorer whose shell has a trainer does not even ask, and says that none is run.
	const explorer = explore(home, ['--lake', own], {cols: 100, rows: 30, env: {PATH}});
	await launchPage(explorer);
	const {text} = await explorer.until(({text}) => text.includes('y launches'), 'what it would run on');
	const said = text.replaceAll(/[\s│]+/g, ' ');
	expect(said).toContain('This is a rehearsal');
	expect(said).toContain(
		'This service was started with "lakescope serve" and looks for it where that was started: end it, and start it again from a shell that has it.',
	);
	expect(said).not.toContain('open this form from there');
	explorer.press('ctrl+r', 'ctrl+x');
	await explorer.until(({text}) => !text.includes('Launch a fine-tune'), 'the form closed');
	explorer.press('q');
	expect((await explorer.untilExit()).code).toBe(0);
}, 120_000);
