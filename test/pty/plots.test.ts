import {expect, test} from 'vitest';
import {writeDataset} from '../../source/lerobot/write-dataset.ts';
import {programHome} from '../commands/support/program.ts';
import {times} from '../faults/support/soak.ts';
import {startHostedService} from '../hosted-service/server.ts';
import {armDataset, siblings} from '../service/support/arm-dataset.ts';
import {addPictures, plain} from '../service/support/pictures.ts';
import type {PtyProgram, Screen} from '../support/pty.ts';
import {type ExplorerOptions, expectQuick, explore, isFresh, type KeyTime, keyTimer} from './support.ts';

const home = programHome();
/** shift+right, as xterm sends it. */
const muchLater = '\u001b[1;2C';

const braille = /[\u2801-\u28ff]/;

/** An explorer over a lake of its own that holds these folders. */
async function over(
	name: string,
	folders: readonly string[],
	size: Pick<ExplorerOptions, 'cols' | 'rows' | 'env'>,
) {
	const lake = home.at(`lake-${name}`);
	const taken = await home.run(['ingest', ...folders, '--lake', lake]);
	expect(taken.code).toBe(0);
	const explorer = explore(home, ['--lake', lake], {...size, deadlineMs: 40_000});
	await explorer.until(isFresh, 'the episodes');
	return explorer;
}

async function leave(explorer: PtyProgram): Promise<void> {
	explorer.press('ctrl+c');
	expect(await explorer.untilExit()).toMatchObject({code: 0});
}

test('an episode is opened, its plots read with the cursor, zoomed, and other channels drawn', async () => {
	const folder = await armDataset(home.at('arm'), siblings(10));
	const explorer = await over('arm', [folder], {cols: 100, rows: 50});
	explorer.press('enter', 'enter');
	const opened = await explorer.until(
		({text}) => text.includes("siblings' median") && text.includes('action.gripper.pos  5 to 35'),
		'its speed and its gripper',
	);
	expect(opened.text).toMatch(braille);
	expect(opened.text).toMatch(/2 pauses, [\d.]+ s, marked above/);
	expect(opened.text).toContain('A pause: still for 0.25 s or longer (slower than 5 % of its p95 speed).');
	expect(opened.row('elbow_flex.pos')).toMatch(/50 to 90 +[─━]+/);
	await explorer.until(({text}) => /duration_s {2}3\.8.* of the 10 of the result/.test(text), 'its place');
	await explorer.until(({text}) => text.includes('↑ this one'), 'a mark for it');

	explorer.send(muchLater);
	explorer.press(...'llll');
	const read = await explorer.until(({text}) => /at 0\.2 s/.test(text), 'the time at the cursor');
	expect(read.text).toMatch(/action\.gripper\.pos {2}5 · state 5/);
	explorer.send(muchLater.repeat(4));
	await explorer.until(
		({text}) => /action\.gripper\.pos {2}(2\d|3\d)[.\d]*/.test(text),
		'the gripper half open',
	);
	explorer.press('>', '>');
	await explorer.until(({text}) => !/ 0\.0 s/.test(text) && /at 1\.7 s/.test(text), 'a part of it');
	explorer.press('=');
	await explorer.until(({text}) => / 0\.0 s +3\.8 s/.test(text), 'the whole');

	explorer.press('c');
	explorer.type('elbow');
	await explorer.until(({text}) => /▢ action\.elbow_flex\.pos +with the state/.test(text), 'the channel');
	explorer.press('enter', 'esc');
	await explorer.until(({text}) => text.includes('action.elbow_flex.pos  50 to 90'), 'it is drawn');

	explorer.press('n');
	await explorer.until(
		({text}) => /━ arm · 1 ━/.test(text) && text.includes('action.gripper.pos  5 to 35'),
		'the next one, its gripper again',
	);
	expect(explorer.screen().text).not.toContain('action.elbow_flex.pos  ');
	explorer.press('N');
	await explorer.until(
		({text}) => /━ arm · 0 ━/.test(text) && text.includes('action.elbow_flex.pos  50 to 90'),
		'what was chosen of the first',
	);
	explorer.press('c', 'ctrl+o');
	await explorer.until(({text}) => text.includes('2 shown for every episode'), 'the choice pinned');
	explorer.press('esc');
	await explorer.until(({text}) => !text.includes('━ Channels'), 'the choice closed');
	explorer.press('n');
	await explorer.until(
		({text}) => /━ arm · 1 ━/.test(text) && text.includes('action.elbow_flex.pos  50 to 90'),
		'the next one, the same channels',
	);
	explorer.press('c', 'ctrl+r');
	await explorer.until(
		({text}) => text.includes('1 shown') && !text.includes('for every episode'),
		'defaults',
	);
	explorer.press('esc');
	await explorer.until(
		({text}) => text.includes('action.gripper.pos  5 to 35') && !text.includes('action.elbow_flex.pos  '),
		'its gripper alone',
	);
	explorer.press('esc');
	await explorer.until(({text}) => /▸ +1 /.test(text), 'the table again');
	await leave(explorer);
}, 90_000);

test('a service without time series shows percentiles, labelled as such', async () => {
	const service = await startHostedService({episodes: 40});
	try {
		const explorer = explore(home, [], {cols: 120, rows: 40, service});
		await explorer.until(isFresh, 'the first episodes');
		explorer.press('enter');
		await explorer.until(
			({text}) =>
				text.includes('10th, 50th and 90th percentile') &&
				text.includes('no time series') &&
				text.includes('┼'),
			'the box',
		);
		expect(explorer.screen().text).not.toMatch(braille);
		await leave(explorer);
	} finally {
		await service.close();
	}
}, 60_000);

/** Waits until the detail has scrolled by a line, and back. */
async function scrolled(explorer: PtyProgram): Promise<KeyTime[]> {
	const taken: KeyTime[] = [];
	for (const [key, first] of [
		['j', 2],
		['k', 1],
	] as const) {
		const took = keyTimer(explorer);
		explorer.press(key);
		await explorer.until(({text}) => text.includes(`━${first}-`), `line ${first} first`);
		taken.push(took());
	}
	return taken;
}

test('20,000 frames of 34 channels are drawn while keys stay quick', async () => {
	const frames = 20_000;
	const dims = 34;
	const names = Array.from({length: dims}, (_, dim) => `joint_${dim}`);
	const episodes = times(3, 12);
	const values = Float32Array.from({length: frames * dims}, (_, at) => Math.sin(at / 9000) + (at % dims));
	const feature = {dtype: 'float32', shape: [dims], names};
	const folder = home.at('long');
	await writeDataset(
		folder,
		{robotType: 'humanoid', fps: 50, features: {action: feature, 'observation.state': feature}},
		Array.from({length: episodes}, (_, shift) => ({
			length: frames,
			tasks: ['Walk'],
			values: {action: values.map(value => value + shift), 'observation.state': values},
			videos: {},
		})),
	);
	const explorer = await over('long', [folder], {cols: 80, rows: 24});
	explorer.press('enter');
	const isDrawn = ({text}: Screen) => braille.test(text) && text.includes('action.joint_0');
	await explorer.until(isDrawn, 'the first, drawn');
	const idle: KeyTime[] = [];
	while (idle.length < 40) idle.push(...(await scrolled(explorer)));
	const busy: KeyTime[] = [];
	for (let index = 1; index < episodes; index++) {
		explorer.press('n');
		await explorer.until(({text}) => text.includes(`━ long · ${index} ━`), 'the next');
		do busy.push(...(await scrolled(explorer)));
		while (!isDrawn(explorer.screen()));
	}
	expectQuick({idle, busy});
	await leave(explorer);
}, 180_000);

test('i shows the first and the last picture of a camera in their colours', async () => {
	const folder = await armDataset(home.at('looks'), siblings(8));
	await addPictures(folder, await plain(64, 48, [248, 0, 0]), await plain(64, 48, [0, 0, 248]));
	const explorer = await over('looks', [folder], {cols: 80, rows: 24, env: {COLORTERM: 'truecolor'}});
	explorer.press('i');
	const colours = (screen: Screen) => {
		const [first, last] = ['first · observation', 'last · observation'].map(text => screen.find(text));
		return [first, last].map(at => at && screen.cell(at.row + 1, at.column).foreground);
	};
	const shown = await explorer.until(
		screen => JSON.stringify(colours(screen)) === JSON.stringify([0xf80000, 0x0000f8]) && screen,
		'red, then blue',
	);
	expect(shown.text).toContain('▀▀▀▀');
	const titleOf = ({text}: Screen) => /━ looks · \d+ ━/.exec(text)?.[0];
	const before = titleOf(shown);
	explorer.press('n');
	await explorer.until(
		screen =>
			![undefined, before].includes(titleOf(screen)) &&
			colours(screen).join() === [0xf80000, 0x0000f8].join(),
		'those of the next',
	);
	explorer.press('esc');
	await explorer.until(({text}) => !text.includes('▀') && !text.includes('first ·'), 'nothing of them stays');
	await leave(explorer);
}, 60_000);
