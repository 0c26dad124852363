import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {type AddressInfo, createServer} from 'node:net';
import path from 'node:path';
import {text} from 'node:stream/consumers';
import {afterEach, expect, test} from 'vitest';
import {call} from './support/call.ts';
import {processesOver, serviceHome} from './support/service-home.ts';

const home = serviceHome();
const entry = path.resolve(import.meta.dirname, '../../source/service/main.ts');
const started = new Set<ChildProcess>();

afterEach(() => {
	for (const child of started) child.kill('SIGKILL');
	started.clear();
});

function serve(lake: string, {args = [], key}: {args?: string[]; key?: string} = {}) {
	const child = spawn(process.execPath, [entry, '--foreground', '--lake', lake, ...args], {
		stdio: ['ignore', 'pipe', 'pipe'],
		env: {...process.env, ...(key !== undefined && {LAKESCOPE_API_KEY: key})},
	});
	started.add(child);
	return child;
}

async function listening(child: ReturnType<typeof serve>): Promise<string> {
	const [line] = (await once(child.stdout, 'data')) as [Buffer];
	expect(line.toString()).toMatch(/^listening http:\/\/127\.0\.0\.1:\d+\n$/);
	return line.toString().slice('listening '.length).trim();
}

async function refusal(child: ReturnType<typeof serve>): Promise<string> {
	const [[code], words] = await Promise.all([once(child, 'close'), text(child.stderr)]);
	expect(code).toBe(1);
	return words;
}

test('it says where it listens, takes the key of its environment, and stays without clients', async () => {
	const lake = home.lake();
	const child = serve(lake, {key: 'my-own-key'});
	const url = await listening(child);
	expect((await call({url, key: 'my-own-key'}, '/local/v1')).status).toBe(200);
	expect((await call({url, key: 'another'}, '/local/v1')).status).toBe(401);
	const joined = await home.join(lake);
	expect([joined.url, joined.key, joined.pid, joined.startedHere]).toEqual([
		url,
		'my-own-key',
		child.pid,
		false,
	]);
	joined.leave();
	const background = home.lake();
	(await home.join(background)).leave();
	await expect.poll(() => processesOver(`--lake\0${background}\0`)).toEqual([]);
	expect((await call({url, key: 'my-own-key'}, '/local/v1')).status).toBe(200);
	const closed = once(child, 'close');
	child.kill('SIGTERM');
	expect(await closed).toEqual([0, null]);
});

test('it takes the place of an idle service in the background', async () => {
	const lake = home.lake();
	const background = await home.join(lake);
	background.leave();
	await listening(serve(lake));
});

test('it does not take the place of one that has a client, and says so', async () => {
	const lake = home.lake();
	const background = await home.join(lake);
	expect(await refusal(serve(lake))).toBe(
		`The lake ${lake} is served by process ${background.pid} at ${background.url} already, and that cannot make room: it has 1 client.\n`,
	);
});

test('a port in use is a sentence', async () => {
	const other = createServer().listen(0, '127.0.0.1');
	await once(other, 'listening');
	const {port} = other.address() as AddressInfo;
	try {
		expect(await refusal(serve(home.lake(), {args: ['--port', String(port)]}))).toBe(
			`Port ${port} is in use by another program. Choose another with --port N, or leave it out to have a free one.\n`,
		);
	} finally {
		other.close();
	}
});

test.each([
	[
		'a port that is none',
		['--port', '70000'],
		undefined,
		/--port takes a number from 0 to 65535, not "70000"/,
	],
	['a flag that is none', ['--prot', '1'], undefined, /--prot/],
	['a key that no header can hold', [], 'two words', /LAKESCOPE_API_KEY cannot be sent in a header/],
])('%s is a sentence', async (_, args, key, words) => {
	expect(await refusal(serve(home.lake(), {args, ...(key !== undefined && {key})}))).toMatch(words);
});
