import {expect, onTestFinished, test} from 'vitest';
import {programHome} from '../commands/support/program.ts';
import {startHostedService} from '../hosted-service/server.ts';
import {armDataset, siblings} from '../service/support/arm-dataset.ts';
import {addPictures, camera, plain} from '../service/support/pictures.ts';
import type {PtyProgram, Screen} from '../support/pty.ts';
import {explore, isFresh} from './support.ts';

const home = programHome();
const colours = {COLORTERM: 'truecolor'};

async function atCameras(explorer: PtyProgram, project: () => Promise<void>): Promise<void> {
	explorer.press('4', 't');
	await explorer.until(
		({text}) => text.includes('lerobot_v3, newest first') && /▸\w+\//.test(text),
		'the datasets',
	);
	explorer.press('l');
	await project();
	await explorer.until(({text}) => /▸ [ ✓] act /.test(text) && text.includes('Image keys: '), 'the types');
	explorer.press('enter');
}

/** The colour below the picture's title. */
function colourBelow(screen: Screen, title: string): number | undefined {
	const at = screen.find(title);
	return at && screen.cell(at.row + 1, at.column).foreground;
}

test('a camera’s frame shows beside its slot, on request where the link may be slow', async () => {
	const lake = home.at('lake');
	const folder = await armDataset(home.at('looks'), siblings(3));
	await addPictures(folder, await plain(64, 48, [248, 0, 0]), await plain(64, 48, [0, 0, 248]));
	expect(await home.run(['ingest', folder, '--lake', lake])).toMatchObject({code: 0});
	const red = (screen: Screen) => colourBelow(screen, `first · ${camera}`) === 0xf80000;
	const size = {cols: 80, rows: 24};

	const here = explore(home, ['--lake', lake], {...size, env: colours});
	await here.until(isFresh, 'the lake');
	await atCameras(here, async () => {
		await here.until(({text}) => /▸ new project/.test(text), 'the projects');
		here.type('tests');
		here.press('enter');
	});
	await here.until(
		screen => /▸ front +.*offered: enter confirms/.test(screen.text) && red(screen),
		'the slot, and red',
	);
	here.press('space');
	await here.until(
		screen => /▸ front +\? unused/.test(screen.text) && !screen.text.includes('first · '),
		'unused, and no picture',
	);
	here.press('ctrl+x', 'q');
	expect((await here.untilExit()).code).toBe(0);

	const afar = explore(home, ['--lake', lake], {...size, env: {...colours, SSH_TTY: '/dev/pts/9'}});
	await afar.until(({text}) => /(● live|◐ polling)/.test(text), 'the lake');
	await atCameras(afar, async () => {
		await afar.until(({text}) => /▸ ✓ tests/.test(text), 'the project of the draft');
		afar.press('enter');
	});
	await afar.until(({text}) => /▸ front +\? unused/.test(text), 'the slot as it was left');
	afar.press('space');
	await afar.until(
		({text}) =>
			/▸ front +\? observation/.test(text) &&
			text.includes('i shows what the camera sees') &&
			!text.includes('▀'),
		'no picture yet',
	);
	afar.press('i');
	await afar.until(red, 'red');
	afar.press('ctrl+x', 'q');
	await afar.untilExit();
}, 90_000);

test('a terminal with pixel graphics gets the frame in pixels, and it is removed with the page', async () => {
	const lake = home.at('pixels');
	const folder = await armDataset(home.at('pixel-looks'), siblings(3));
	await addPictures(folder, await plain(64, 48, [248, 0, 0]), await plain(64, 48, [0, 0, 248]));
	expect(await home.run(['ingest', folder, '--lake', lake])).toMatchObject({code: 0});
	const answers = [
		{to: '\u001b_Gi=1,', with: '\u001b_Gi=1;OK\u001b\\'},
		{to: '\u001b[>q', with: '\u001bP>|kitty(0.40.0)\u001b\\'},
		{to: '\u001b[16t', with: '\u001b[6;20;10t'},
	];
	const explorer = explore(home, ['--lake', lake], {cols: 80, rows: 24, attributes: '62;52', answers});
	const asked = () => explorer.output().includes('\u001b_Gi=1,');
	await explorer.until(isFresh, 'the lake');
	await atCameras(explorer, async () => {
		await explorer.until(({text}) => /▸ new project/.test(text), 'the projects');
		expect(asked()).toBe(false);
		explorer.type('tests');
		explorer.press('enter');
	});
	await explorer.until(
		({text}) => text.includes(`first · ${camera}`) && !/▀|reading/.test(text),
		'the title, and no half blocks',
	);
	const has = (part: string) =>
		expect.poll(() => explorer.output().includes(`\u001b_Ga=${part}`), {timeout: 20_000}).toBe(true);
	await has('p,');
	explorer.press('esc');
	await explorer.until(({text}) => text.includes('Image keys: '), 'the page before');
	await has('d,');
	explorer.press('ctrl+x', 'q');
	await explorer.untilExit();
}, 60_000);

test('where a service has no picture of its cameras the form says so, and goes on', async () => {
	const service = await startHostedService({episodes: 40});
	onTestFinished(() => service.close());
	const explorer = explore(home, [], {cols: 80, rows: 24, service});
	await explorer.until(isFresh, 'the lake');
	await atCameras(explorer, async () => {
		await explorer.until(({text}) => /▸ +folding/.test(text), 'the projects');
		explorer.press('enter');
	});
	await explorer.until(
		({text}) =>
			/▸ front +\? observation\.images\.front/.test(text) &&
			text.includes('The service has neither a thumbnail nor frames of it.'),
		'the reason',
	);
	explorer.press('enter');
	await explorer.until(({text}) => /▸ wrist /.test(text), 'the next slot');
	explorer.press('ctrl+x', 'q');
	await explorer.untilExit();
}, 60_000);
