import {chmod, mkdir, readFile, stat, writeFile} from 'node:fs/promises';
import {text} from 'node:stream/consumers';
import {beforeEach, expect, inject, onTestFinished, test} from 'vitest';
import {type HostedService, startHostedService} from '../hosted-service/server.ts';
import {explore, isFresh} from '../pty/support.ts';
import {startInPty} from '../support/pty.ts';
import {type Environment, programHome} from './support/program.ts';

const home = programHome();
let one: HostedService;
let two: HostedService;

async function service(key: string): Promise<HostedService> {
	const started = await startHostedService({episodes: 5, key});
	onTestFinished(() => started.close());
	return started;
}

const keyFile = (name: string) => home.at('config', 'lakescope', 'keys', name);

async function configure(config: unknown): Promise<void> {
	await mkdir(home.at('config', 'lakescope', 'keys'), {recursive: true});
	await writeFile(home.at('config', 'lakescope', 'config.json'), JSON.stringify(config), {mode: 0o600});
}

beforeEach(async () => {
	one = await service('key-of-one');
	two = await service('key-of-two');
	await configure({
		profile: 'one',
		key: 'key-of-nobody',
		profiles: {one: {url: one.url, key: 'key-of-one'}, two: {url: two.url, readOnly: true}},
	});
	await writeFile(keyFile('two'), 'key-of-two\n', {mode: 0o600});
});

const keysSeenBy = ({requests}: HostedService) => new Set(requests.map(({headers}) => headers['x-api-key']));

test('each profile speaks to its own service with its own key, and no other', async () => {
	expect((await home.run(['datasets'])).code).toBe(0);
	expect((await home.run(['datasets', '--profile', 'two'])).code).toBe(0);
	expect((await home.run(['datasets'], {LAKESCOPE_PROFILE: 'two'})).code).toBe(0);
	const elsewhere = {LAKESCOPE_URL: one.url, LAKESCOPE_API_KEY: 'key-of-one'};
	expect((await home.run(['datasets', '--profile', 'two'], elsewhere)).code).toBe(0);
	expect(keysSeenBy(one)).toEqual(new Set(['key-of-one']));
	expect(keysSeenBy(two)).toEqual(new Set(['key-of-two']));
});

test('a profile that is not there, or meant together with another service, is refused with the way out', async () => {
	expect(await home.run(['datasets', '--profile', 'three'])).toMatchObject({
		code: 2,
		stderr: 'lakescope: There is no profile three: there are one, two.\n',
	});
	const both = await home.run(['datasets', '--profile', 'one', '--url', two.url]);
	expect(both).toMatchObject({code: 2});
	expect(both.stderr).toContain('--profile and --url both say which service is meant');
	expect(two.requests).toHaveLength(0);
});

test('a profile that is not right is told with the reason why it is not there', async () => {
	await configure({profiles: {one: {url: one.url, ulr: 'x'}}});
	const {code, stderr} = await home.run(['datasets', '--profile', 'one']);
	expect(code).toBe(2);
	expect(stderr).toContain('There is no profile one: the configuration has none.');
	expect(stderr).toContain('the profile "one" is left out: Unrecognized key: "ulr".');
});

test('the chosen profile shows in the header, and what it forbids is forbidden', async () => {
	const explorer = explore(home, ['--profile', 'two'], {cols: 100, rows: 24});
	await explorer.until(
		screen => isFresh(screen) && /lakescope {2}two: http.* READ-ONLY/.test(screen.rows[0] ?? ''),
		'the header',
	);
	explorer.press('q');
	expect((await explorer.untilExit()).code).toBe(0);
});

test('a key is asked for without being shown, a pasted line end is none of it, and it is kept for its user alone', async () => {
	const asking = startInPty(process.execPath, [inject('cli'), 'key', '--profile', 'one'], {
		cwd: home.root,
		env: home.env,
	});
	await asking.untilText('Key of one (it is not shown):');
	asking.send('\u001b[200~secret-1234\n\u001b[201~');
	expect((await asking.untilExit()).code).toBe(0);
	const shown = (await asking.settled()).text;
	expect(shown).toContain('The key of one is stored in ~/config/lakescope/keys/one (0600, for you alone).');
	expect(asking.output()).not.toContain('secret-1234');
	expect(await readFile(keyFile('one'), 'utf8')).toBe('secret-1234\n');
	expect((await stat(keyFile('one'))).mode & 0o777).toBe(0o600);
});

test('a key that is typed shows as asterisks, can be corrected, and is given up by ^C', async () => {
	const ask = (env: Environment = {}) =>
		startInPty(process.execPath, [inject('cli'), 'key', '--profile', 'one'], {
			cwd: home.root,
			env: {...home.env, ...env},
		});
	const typing = ask();
	await typing.untilText('Key of one (it is not shown):');
	typing.type('typed-777');
	await typing.until(({rows}) => rows[0]?.trimEnd().endsWith('shown): *********'), 'an asterisk a letter');
	typing.press('backspace', 'left', 'left');
	typing.type('1');
	await typing.until(({rows}) => rows[0]?.trimEnd().endsWith('shown): *********'), 'the correction');
	typing.press('enter');
	expect((await typing.untilExit()).code).toBe(0);
	expect(await readFile(keyFile('one'), 'utf8')).toBe('typed-177\n');
	expect(typing.output()).not.toMatch(/typed|177|777/);

	const left = ask();
	await left.untilText('Key of one (it is not shown):');
	left.type('never');
	left.press('ctrl+c');
	expect((await left.untilExit()).code).toBe(1);
	expect((await left.settled()).text).toContain('Nothing is stored.');
	expect(await readFile(keyFile('one'), 'utf8')).toBe('typed-177\n');

	const dumb = ask({TERM: 'dumb'});
	await dumb.untilText('Key of one (it is not shown):');
	dumb.type('plain-888\r');
	expect((await dumb.untilExit()).code).toBe(0);
	expect(await readFile(keyFile('one'), 'utf8')).toBe('plain-888\n');
	expect(dumb.output()).not.toMatch(/plain|\*/);
});

test('a key may come from a pipe, for the service that is meant, never from the command line, and what is none is not kept', async () => {
	const piped = async (given: string, env: Environment, ...args: string[]) => {
		const child = home.start(['key', ...args], env, [], 'pipe');
		child.stdin?.end(given);
		const [stderr, code] = await Promise.all([
			text(child.stderr ?? process.stdin),
			new Promise(resolve => child.once('close', resolve)),
		]);
		return {stderr, code};
	};
	expect(await piped('\n piped-key \n', {}, '--profile', 'two')).toMatchObject({code: 0});
	expect(await readFile(keyFile('two'), 'utf8')).toBe('piped-key\n');
	expect(await piped('of-two', {LAKESCOPE_PROFILE: 'two'})).toMatchObject({code: 0});
	expect(await readFile(keyFile('two'), 'utf8')).toBe('of-two\n');
	expect(await piped('of-the-address', {LAKESCOPE_URL: one.url})).toMatchObject({code: 0});
	expect(await readFile(home.at('config', 'lakescope', 'key'), 'utf8')).toBe('of-the-address\n');
	expect(await readFile(keyFile('two'), 'utf8')).toBe('of-two\n');
	const words = await piped('two words', {}, '--profile', 'two');
	expect(words).toMatchObject({code: 2});
	expect(words.stderr).not.toContain('two words');
	expect(await readFile(keyFile('two'), 'utf8')).toBe('of-two\n');
	expect((await home.run(['key', 'on-the-line'])).stderr).toContain('never taken from the command line');
});

test('a pipe that never ends is not waited for', async () => {
	const child = home.start(['key'], {}, [], 'pipe');
	child.stdin?.write('k'.repeat(70_000));
	const [stderr, code] = await Promise.all([
		text(child.stderr ?? process.stdin),
		new Promise(resolve => child.once('close', resolve)),
	]);
	expect({stderr, code}).toEqual({
		stderr: 'lakescope: That is longer than any key: nothing is stored.\n',
		code: 2,
	});
});

test('a key file that others may read is not used', async () => {
	await chmod(keyFile('two'), 0o644);
	const {code, stderr} = await home.run(['datasets', '--profile', 'two']);
	expect(code).not.toBe(0);
	expect(stderr).toContain(`chmod 600 ${keyFile('two')}`);
	expect(two.requests).toHaveLength(0);
});
