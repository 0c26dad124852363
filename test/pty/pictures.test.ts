import {spawnSync} from 'node:child_process';
import {randomUUID} from 'node:crypto';
import {chmodSync, mkdirSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import path from 'node:path';
import jpeg from 'jpeg-js';
import {decode as decodeSixel} from 'sixel';
import {afterAll, describe, expect, inject, onTestFinished, test} from 'vitest';
import {decodePicture} from '../../source/picture/decode.ts';
import type {Pixels} from '../../source/picture/pixels.ts';
import {startProxy} from '../client/wire-server.ts';
import {programHome} from '../commands/support/program.ts';
import {randomFrom, times} from '../faults/support/soak.ts';
import {startHostedService} from '../hosted-service/server.ts';
import {type PtyProgram, startInPty} from '../support/pty.ts';
import {tmuxVersion} from '../support/tmux.ts';
import {type ExplorerOptions, expectQuick, explore, isFresh, type KeyTime, keyTimer} from './support.ts';

const home = programHome();

/** A pattern in which `%E` is an escape and `%B` a bell. */
const bytes = (pattern: string, flags = '') =>
	new RegExp(pattern.replaceAll('%E', '\\u001b').replaceAll('%B', '\\u0007'), flags);
const esc = '\u001b';

/** A picture of a camera: red, and with so much noise that it takes more than one sequence, scaled down too. */
function photo(width: number, height: number): Buffer {
	const random = randomFrom(width);
	const across = Math.ceil(width / 4);
	const noise = Uint8Array.from({length: across * Math.ceil(height / 4) * 3}, () => random() * 48);
	const data = Buffer.alloc(width * height * 4, 255);
	for (let at = 0; at < width * height; at++) {
		const from = (Math.floor(at / width / 4) * across + Math.floor((at % width) / 4)) * 3;
		data.set([207 + (noise[from] ?? 0), noise[from + 1] ?? 0, noise[from + 2] ?? 0], at * 4);
	}
	return jpeg.encode({data, width, height}, 90).data;
}

const photos = {'/small.jpg': photo(160, 120), '/full-hd.jpg': photo(1920, 1080)};
const server = createServer(({url = ''}, response) => {
	response.end(photos[url as keyof typeof photos]);
});
await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
afterAll(() => server.close());
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** What terminals answer to what is asked about pictures. */
const says = {
	kitty: {to: '\u001b_Gi=1,', with: '\u001b_Gi=1;OK\u001b\\'},
	cell: {to: '\u001b[16t', with: '\u001b[6;20;10t'},
	name: (name: string) => ({to: '\u001b[>q', with: `\u001bP>|${name}\u001b\\`}),
};
const asKitty = {attributes: '62;52', answers: [says.kitty, says.name('kitty(0.40.0)'), says.cell]};
const asITerm2 = {attributes: '62;4', answers: [says.kitty, says.name('iTerm2 3.5.11'), says.cell]};
const asXterm = {attributes: '62;4;22', answers: [says.name('XTerm(390)'), says.cell]};

type Lake = {
	readonly picture?: keyof typeof photos;
	readonly count?: number;
	readonly without?: number;
	/** Where the pictures are said to lie. */
	readonly from?: string;
};

/** A service whose episodes have a picture each, but for some at the end. */
async function serviceWith({picture = '/small.jpg', count = 10, without = 0, from = origin}: Lake = {}) {
	const service = await startHostedService({
		episodes: Array.from({length: count + without}, (_, index) => ({
			dataset_name: 'camera-1',
			episode_index: index,
			frame_count: 100,
			duration_seconds: 10,
			...(index < count && {thumb_url: from + picture}),
		})),
	});
	onTestFinished(() => service.close());
	return service;
}

async function over(options: ExplorerOptions, lake?: Lake) {
	const service = await serviceWith(lake);
	const explorer = explore(home, [], {cols: 100, rows: 30, ...options, service});
	await explorer.until(isFresh, 'the first episodes');
	return explorer;
}

async function leave(explorer: PtyProgram): Promise<string> {
	const before = explorer.output().length;
	explorer.press('ctrl+c');
	expect(await explorer.untilExit()).toMatchObject({code: 0});
	return explorer.output().slice(before);
}

const kittySequence = bytes(String.raw`%E_G([^;%E]*);?([^%E]*)%E\\`, 'g');

/** The PNGs that were sent whole by kitty's protocol, put together of their pieces, with the keys they began with. */
function kittyPictures(output: string): readonly {keys: string; base64: string}[] {
	const pictures: {keys: string; base64: string}[] = [];
	let coming: {keys: string; base64: string} | undefined;
	for (const [, keys = '', data = ''] of output.matchAll(kittySequence)) {
		if (/^a=[tT]/.test(keys)) coming = {keys, base64: ''};
		if (coming === undefined || !keys.includes('m=')) continue;
		coming.base64 += data;
		if (keys.endsWith('m=0')) pictures.push(coming);
	}
	return pictures;
}

const isRed = ({data}: Pixels) => {
	const mean = (colour: number) =>
		data.reduce((sum, value, at) => sum + (at % 3 === colour ? value : 0), 0) / (data.length / 3);
	return mean(0) > 180 && mean(1) < 60 && mean(2) < 60;
};
const fromPng = (base64: string) => decodePicture(Buffer.from(base64, 'base64'), {pixels: 1e6});
const isShown = ({text}: {text: string}) => text.includes('thumbnail') && !/▀|reading/.test(text);

test('kitty: sent once, deleted when it leaves, drawn anew after a resize, deleted at the end', async () => {
	const explorer = await over(asKitty);
	expect(explorer.output()).not.toContain('\u001b_G');
	explorer.press('i');
	await explorer.until(
		screen => isShown(screen) && kittyPictures(explorer.output()).length === 1,
		'the picture',
	);
	const [first] = kittyPictures(explorer.output());
	expect(first?.keys).toMatch(/^a=t,i=\d+,f=100,q=2,m=1$/);
	expect(explorer.output()).toMatch(/_Ga=p,i=\d+,p=1,c=\d+,r=\d+,C=1,q=2/);
	const pixels = await fromPng(first?.base64 ?? '');
	expect([pixels.width, pixels.height, isRed(pixels)]).toEqual([160, 120, true]);
	const id = /i=(\d+)/.exec(first?.keys ?? '')?.[1];
	const deletion = `\u001b_Ga=d,d=I,i=${id},q=2\u001b\\`;
	expect(explorer.output()).not.toContain(deletion);

	explorer.press('esc');
	await explorer.until(
		({text}) => !text.includes('thumbnail') && explorer.output().includes(deletion),
		'no picture any more',
	);
	explorer.press('i');
	await explorer.until(
		screen => isShown(screen) && kittyPictures(explorer.output()).length === 2,
		'the picture again',
	);
	// The terminal was asked once.
	expect(explorer.output().split('a=q').length).toBe(2);
	const widths = () => [...explorer.output().matchAll(/_Ga=p,i=\d+,p=1,c=(\d+)/g)].map(([, width]) => width);
	const [wide] = widths();
	explorer.resize(90, 26);
	await explorer.until(
		screen => screen.columns === 90 && isShown(screen) && Number(widths().at(-1)) < Number(wide),
		'the picture at its new place',
	);
	for (const key of ['ctrl+l', 'ctrl+z']) {
		const before = kittyPictures(explorer.output()).length;
		const from = explorer.output().length;
		explorer.press(key);
		const told = () => explorer.output().slice(from);
		await explorer.until(
			screen =>
				screen.isAlternate &&
				isShown(screen) &&
				kittyPictures(explorer.output()).length > before &&
				(key !== 'ctrl+z' || told().indexOf('a=d,d=I') < told().indexOf('\u001b[?1049l')),
			`the picture after ${key}`,
		);
	}
	const last = /i=(\d+)/.exec(kittyPictures(explorer.output()).at(-1)?.keys ?? '')?.[1];
	const end = await leave(explorer);
	expect(end.indexOf(`a=d,d=I,i=${last},`)).toBeGreaterThanOrEqual(0);
	expect(end.indexOf(`a=d,d=I,i=${last},`)).toBeLessThan(end.indexOf('\u001b[?1049l'));
}, 60_000);

test('iTerm2: a file sized in cells, and no kitty sequences although it claims to support them', async () => {
	const explorer = await over(asITerm2);
	explorer.press('i');
	const files = () => [
		...explorer.output().matchAll(bytes(String.raw`%E\[\d+;\d+H%E\]1337;File=([^:]*):([^%B]*)%B`, 'g')),
	];
	await explorer.until(screen => isShown(screen) && files().length === 1, 'the picture');
	expect(explorer.output()).not.toMatch(/_Ga=[tp]/);
	const [, keys = '', base64 = ''] = files()[0] ?? [];
	const size = Buffer.from(base64, 'base64').length;
	expect(keys).toMatch(new RegExp(`^inline=1;size=${size};width=\\d+;height=\\d+;preserveAspectRatio=0$`));
	expect(isRed(await fromPng(base64))).toBe(true);
	explorer.press('n');
	await explorer.until(screen => isShown(screen) && files().length === 2, 'that of the next episode');
	explorer.press('esc');
	await explorer.until(({text}) => !text.includes('thumbnail'), 'the table');
	await leave(explorer);
}, 60_000);

test('sixel: in the pixels of the cells that it covers', async () => {
	const explorer = await over(asXterm);
	explorer.press('i');
	const pictures = () => [...explorer.output().matchAll(bytes(String.raw`%EP[\d;]*q([^%E]*)%E\\`, 'g'))];
	await explorer.until(screen => isShown(screen) && pictures().length === 1, 'the picture');
	const {width, height, data32} = decodeSixel(pictures()[0]?.[1] ?? '');
	// 48 cells of 10 pixels are all the room, four to three as the picture is, in bands of six pixels.
	expect([width % 10, height % 6]).toEqual([0, 0]);
	expect(width / height).toBeCloseTo(4 / 3, 1);
	expect(width).toBeGreaterThan(300);
	const data = Uint8Array.from({length: width * height * 3}, (_, at) => {
		return ((data32[Math.floor(at / 3)] ?? 0) >>> (8 * (at % 3))) & 0xff;
	});
	expect(isRed({width, height, data})).toBe(true);
	await leave(explorer);
}, 60_000);

describe('half blocks where pixels are not available', () => {
	const blocks = async (options: ExplorerOptions, why?: RegExp) => {
		const explorer = await over(options);
		explorer.press('i');
		await explorer.until(({text}) => text.includes('▀▀▀▀') && (why?.test(text) ?? true), 'half blocks');
		expect(explorer.output()).not.toMatch(bytes(String.raw`%E_Ga=[tTp]|1337;File|%EP[\d;]*q`));
		return explorer;
	};

	test('a terminal that supports no graphics', async () => {
		const explorer = await blocks({attributes: '62;22', answers: [says.name('foot(1.0)'), says.cell]});
		expect(explorer.screen().text).not.toContain('half blocks:');
		await leave(explorer);
	}, 60_000);

	test('a terminal that answers nothing; a late answer is not read as keys', async () => {
		const explorer = await blocks(
			{attributes: 'none'},
			/half blocks: the terminal did not report its abilities/,
		);
		explorer.send('\u001b_Gi=1;OK\u001b\\\u001bP>|kitty(0.40.0)\u001b\\\u001b[6;20;10t\u001b[?62;4c');
		explorer.press('n', 'i', 'j');
		await explorer.until(({text}) => /▸ +2 /.test(text) && !text.includes('thumbnail'), 'the third row');
		expect(explorer.screen().text).not.toMatch(/kitty|62;4/);
		await leave(explorer);
	}, 60_000);

	test('a query that the terminal shows as text is erased, and nothing else is displaced', async () => {
		const question = 'Gi=1,s=1,v=1,a=q,t=d,f=24;AAAA';
		// As Terminal.app: what begins with ESC _ is text.
		const explorer = await blocks({attributes: '1;2', showsApc: true});
		expect(explorer.output()).toContain(question);
		const {rows} = await explorer.until(
			({text}) => text.includes('▀▀▀▀') && !text.includes('Gi='),
			'a screen without the question',
		);
		explorer.press('ctrl+l');
		await explorer.until(screen => screen.text === rows.join('\n'), 'the same screen, drawn from nothing');
		await leave(explorer);
	}, 60_000);

	test('a slow link', async () => {
		const explorer = await blocks(
			{...asKitty, answersAfterMs: 300, env: {SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22'}},
			/half blocks: an answer takes \d+ ms over this link, pixels want 150/,
		);
		await leave(explorer);
	}, 60_000);

	test('another writer than that of cells', async () => {
		const env = {LAKESCOPE_WRITER: 'ink'};
		await leave(await blocks({...asKitty, env}, /half blocks: LAKESCOPE_WRITER is not cells/));
	}, 60_000);
});

test('switched off in the configuration, i says so and reads nothing', async () => {
	const folder = home.at('switched-off');
	mkdirSync(`${folder}/lakescope`, {recursive: true});
	writeFileSync(`${folder}/lakescope/config.json`, '{"pictures": "off"}');
	const explorer = await over({...asKitty, env: {XDG_CONFIG_HOME: folder}});
	explorer.press('i');
	await explorer.until(({text}) => text.includes('Images are off'), 'the words');
	expect(explorer.screen().text).not.toContain('thumbnail');
	expect(explorer.output()).not.toContain('a=q');
	await leave(explorer);
}, 60_000);

test('an unknown picture mode is rejected with a message', async () => {
	const program = explore(home, [], {env: {LAKESCOPE_PICTURES: 'best'}});
	expect(await program.untilExit()).toMatchObject({code: 2});
	expect(program.output()).toContain(
		'LAKESCOPE_PICTURES is auto, kitty, iterm2, sixel, blocks or off, not best.',
	);
}, 60_000);

describe('inside tmux', () => {
	/** A folder with a tmux that tells this. */
	function tmuxThat(name: string, tells: string): Record<string, string> {
		const folder = home.at(`tmux-${name}`);
		mkdirSync(folder, {recursive: true});
		writeFileSync(`${folder}/tmux`, `#!/bin/sh\nprintf '${tells}'\n`);
		chmodSync(`${folder}/tmux`, 0o755);
		const PATH = `${folder}:${process.env.PATH}`;
		return {PATH, TMUX: `${folder}/socket,1,0`, TMUX_PANE: '%0', TERM: 'tmux-256color'};
	}
	const attributes = '1;2;4';
	const answers = [says.kitty, says.name('tmux 3.4'), says.cell];

	test('kitty gets its pictures through tmux, as placeholder text that tmux can clear', async () => {
		const env = tmuxThat('on', 'on\\nkitty(0.40.0) xterm-kitty\\t256,RGB\\n');
		const explorer = await over({attributes, answers, env});
		explorer.press('i');
		const passed = () =>
			[...explorer.output().matchAll(bytes(String.raw`%EPtmux;((?:[^%E]|%E%E)*)%E\\`, 'g'))]
				.map(([, inner = '']) => inner.replaceAll(esc + esc, esc))
				.join('');
		const shown = await explorer.until(
			({text}) => text.includes('\u{10eeee}\u0305\u0305') && kittyPictures(passed()).length === 1,
			'the picture',
		);
		const [picture] = kittyPictures(passed());
		expect(picture?.keys).toMatch(/^a=T,U=1,i=\d+,c=\d+,r=\d+,f=100,q=2,m=1$/);
		const id = Number(/i=(\d+)/.exec(picture?.keys ?? '')?.[1]);
		expect(shown.look('\u{10eeee}\u0305\u0305').foreground).toBe(id & 0xff);
		expect(isRed(await fromPng(picture?.base64 ?? ''))).toBe(true);
		// tmux would take kitty's question for a title.
		expect(explorer.output()).not.toMatch(bytes('(?<!%E)%E_G'));
		explorer.press('esc');
		await explorer.until(
			({text}) => !text.includes('\u{10eeee}') && passed().includes(`a=d,d=I,i=${id}`),
			'no picture any more',
		);
		await leave(explorer);
	}, 60_000);

	test('where tmux passes nothing on, half blocks, and how to change that', async () => {
		const env = tmuxThat('off', 'off\\nkitty(0.40.0) xterm-kitty\\t256,RGB\\n');
		const explorer = await over({attributes, answers, env});
		explorer.press('i');
		await explorer.until(
			({text}) => text.includes('▀▀▀▀') && text.includes('tmux set -g allow-passthrough on'),
			'half blocks',
		);
		expect(explorer.output()).not.toContain('\u001bPtmux;\u001b\u001b_G');
		await leave(explorer);
	}, 60_000);

	test('tmux’s own sixel, where the terminals behind it support it too', async () => {
		const explorer = await over({
			attributes,
			answers,
			env: tmuxThat('sixel', 'off\\nfoot(1.20) foot\\t256,RGB,sixel\\n'),
		});
		explorer.press('i');
		await explorer.until(
			screen => isShown(screen) && bytes(String.raw`%EP[\d;]*q`).test(explorer.output()),
			'the picture',
		);
		await leave(explorer);
	}, 60_000);
});

const isNewEnough = /\b(?:3\.[3-9]|[4-9]\.)/.test(tmuxVersion ?? '');

test.skipIf(!isNewEnough)(
	`through ${tmuxVersion ?? 'tmux (none is installed)'} itself, to a kitty around it`,
	async () => {
		const service = await serviceWith();
		const env = {
			...home.env,
			LAKESCOPE_URL: service.url,
			LAKESCOPE_API_KEY: service.key,
			TMUX_TMPDIR: home.root,
		};
		const server = ['-L', randomUUID(), '-f', '/dev/null'];
		const command = [process.execPath, inject('cli')].map(word => `'${word}'`).join(' ');
		const setting = [
			'set-option',
			'-g',
			'allow-passthrough',
			'on',
			';',
			'set-option',
			'-g',
			'status',
			'off',
			';',
		];
		const terminal = startInPty('tmux', [...server, ...setting, 'new-session', command], {
			cols: 100,
			rows: 30,
			env,
			cwd: home.root,
			...asKitty,
		});
		onTestFinished(() => void spawnSync('tmux', [...server, 'kill-server'], {env: {...process.env, ...env}}));
		await terminal.until(({text}) => /▸ +0 /.test(text) && text.includes('● live'), 'the first episodes');
		terminal.press('i');
		await terminal.until(
			({text}) => text.includes('\u{10eeee}\u0305\u0305') && kittyPictures(terminal.output()).length === 1,
			'the picture',
		);
		const [picture] = kittyPictures(terminal.output());
		expect(isRed(await fromPng(picture?.base64 ?? ''))).toBe(true);
		const id = Number(/^a=T,U=1,i=(\d+)/.exec(picture?.keys ?? '')?.[1]);
		expect(terminal.screen().look('\u{10eeee}\u0305\u0305').foreground).toBe(id & 0xff);
		terminal.press('esc');
		await terminal.until(
			({text}) => !text.includes('\u{10eeee}') && terminal.output().includes(`a=d,d=I,i=${id}`),
			'no picture any more',
		);
		terminal.press('q');
		await terminal.untilExit();
	},
	60_000,
);

test('a picture in a private network is read only where the configuration names its host', async () => {
	const proxy = await startProxy(Number(new URL(origin).port));
	onTestFinished(() => proxy.close());
	// Nobody answers there: what is asked for goes by the proxy, which can tell.
	const from = 'http://10.98.76.54';
	const ways = {HTTP_PROXY: proxy.url, http_proxy: proxy.url};
	const careful = await over({...asXterm, env: ways}, {from});
	careful.press('i');
	await careful.untilText('The picture is not read: its host 10.98.76.54');
	expect(proxy.heard).toEqual([]);
	await leave(careful);

	const config = home.at('lab-config');
	mkdirSync(path.join(config, 'lakescope'), {recursive: true});
	writeFileSync(path.join(config, 'lakescope', 'config.json'), JSON.stringify({thumbHosts: ['10.98.76.54']}));
	const named = await over({...asITerm2, env: {...ways, XDG_CONFIG_HOME: config}}, {from});
	named.press('i');
	await named.until(isShown, 'the picture');
	expect(proxy.heard.map(({url}) => url)).toEqual([expect.stringContaining('10.98.76.54')]);
	await leave(named);
});

test('keys stay quick while pictures of 1920 × 1080 are read, decoded and sent', async () => {
	const count = times(8, 60);
	const explorer = await over(asKitty, {picture: '/full-hd.jpg', count, without: count});
	/** Waits until the next episode's title shows. */
	async function stepped(key: 'n' | 'N', to: number): Promise<KeyTime> {
		const took = keyTimer(explorer);
		explorer.press(key);
		await explorer.until(({text}) => text.includes(`━ camera-1 · ${to} ━`), 'the next episode');
		return took();
	}
	explorer.press('G', 'i');
	await explorer.until(({text}) => text.includes(`━ camera-1 · ${2 * count - 1} ━`), 'the last episode');
	const idle: KeyTime[] = [];
	for (let to = 2 * count - 2; to >= count; to--) idle.push(await stepped('N', to));
	const busy: KeyTime[] = [];
	for (let to = count - 1; to >= 0; to--) {
		busy.push(await stepped('N', to));
		// Every fourth is waited for; the others are given up while they are read or decoded.
		const before = explorer.output().length;
		const isSent = () => explorer.output().includes('_Ga=p', before);
		if (to % 4 === 0) await explorer.until(isSent, 'the picture');
	}
	const longest = Math.max(...kittyPictures(explorer.output()).map(({base64}) => base64.length));
	expect(longest).toBeGreaterThan(50_000);
	expect(longest).toBeLessThanOrEqual(512 * 1024);
	expectQuick({idle, busy});
	await leave(explorer);
}, 240_000);
