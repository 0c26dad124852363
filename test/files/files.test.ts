import {chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile} from 'node:fs/promises';
import {homedir, tmpdir} from 'node:os';
import path from 'node:path';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {z} from 'zod';
import {readConfig} from '../../source/files/config.ts';
import {findDatasets, lerobotHome} from '../../source/files/datasets-on-disk.ts';
import {writeDocument} from '../../source/files/document.ts';
import {KeyFileError, keyHelp, locateKey} from '../../source/files/key.ts';
import {places, resolvePath} from '../../source/files/places.ts';
import {readState, writeState} from '../../source/files/state.ts';

let home: string;

beforeEach(async () => {
	home = await mkdtemp(path.join(tmpdir(), 'lakescope-files-'));
	for (const kind of ['CONFIG', 'DATA', 'STATE', 'CACHE']) {
		vi.stubEnv(`XDG_${kind}_HOME`, path.join(home, kind.toLowerCase()));
	}
});

afterEach(async () => {
	vi.unstubAllEnvs();
	await chmod(home, 0o700);
	await rm(home, {recursive: true, force: true});
});

async function put(file: string, content: string, mode = 0o600): Promise<string> {
	const whole = path.join(home, file);
	await mkdir(path.dirname(whole), {recursive: true});
	await writeFile(whole, content, {mode});
	return whole;
}

test('every file has its XDG place', () => {
	expect(places()).toEqual({
		config: path.join(home, 'config/lakescope'),
		data: path.join(home, 'data/lakescope'),
		state: path.join(home, 'state/lakescope'),
		cache: path.join(home, 'cache/lakescope'),
		lake: path.join(home, 'data/lakescope/lake'),
		sample: path.join(home, 'data/lakescope/sample'),
	});
	expect(resolvePath('a/b', '/x')).toBe('/x/a/b');
});

test('what is remembered comes back, in a file for this user alone, with nothing left beside it', async () => {
	expect(await readState('columns', z.array(z.string()))).toBeUndefined();
	expect(await writeState('columns', ['task', 'tier'])).toBeUndefined();
	expect(await readState('columns', z.array(z.string()))).toEqual(['task', 'tier']);
	const folder = places().state;
	expect(await readdir(folder)).toEqual(['columns.json']);
	expect((await stat(path.join(folder, 'columns.json'))).mode & 0o777).toBe(0o600);
});

test('a broken state file is as good as none, is set aside and told', async () => {
	for (const content of ['{"half', '7', '']) {
		const file = await put('state/lakescope/columns.json', content);
		const told: string[] = [];
		expect(await readState('columns', z.array(z.string()), sentence => told.push(sentence))).toBeUndefined();
		expect(told).toEqual([expect.stringContaining(`it is set aside as ${file}.broken.`)]);
		expect(await readFile(`${file}.broken`, 'utf8')).toBe(content);
		expect(await readState('columns', z.array(z.string()), sentence => told.push(sentence))).toBeUndefined();
		expect(told).toHaveLength(1);
	}
});

test('what cannot be written is said in a sentence that names the file', async () => {
	const inTheWay = await put('file', 'x');
	const target = path.join(inTheWay, 'state.json');
	expect(await writeDocument(target, {})).toBe(
		`${target} cannot be written: a file of that name is in the way. Its content is lost when lakescope ends.`,
	);
	expect(await writeDocument('/dev/full/x', {})).toContain('/dev/full/x cannot be written: ');
	// Nothing can be made there, and Node's own way of making folders never comes back from it.
	expect(await writeDocument('/proc/none/x', {})).toContain('/proc/none/x cannot be written: ');
});

test('without a configuration there is none and nothing is wrong', async () => {
	expect(await readConfig()).toMatchObject({config: {}, problems: []});
});

test('a wrong or unknown entry is told and costs no other entry', async () => {
	const file = await put(
		'config/lakescope/config.json',
		'{"url": "https://a.example", "lake": 7, "colour": "red"}',
	);
	const {config, problems} = await readConfig();
	expect(config).toEqual({url: 'https://a.example', readOnly: true});
	expect(problems).toHaveLength(3);
	expect(problems[0]).toContain(`${file}: "lake" is left out: `);
	expect(problems[1]).toContain(
		`${file}: "colour" is unknown and ignored. Known entries: url, account, lake`,
	);
});

test.each(['{"url": ', '[]', '"x"', ''])('a configuration of %s is told and left out', async content => {
	await put('config/lakescope/config.json', content);
	const {config, problems} = await readConfig();
	expect(config).toEqual({readOnly: true});
	expect(problems).toEqual([
		expect.stringMatching(/ is left out\. Nothing can be changed until this is fixed\.$/),
	]);
});

test('what may have named the service or forbidden changes forbids them, and nothing else does', async () => {
	const readOnlyFor = async (content: unknown) => {
		await put('config/lakescope/config.json', JSON.stringify(content));
		return (await readConfig()).config.readOnly;
	};
	for (const wrong of [{url: 7}, {readOnly: 'yes'}, {readonly: true}, {'read-only': true}, {profiles: []}])
		expect(await readOnlyFor(wrong)).toBe(true);
	for (const harmless of [{mouse: 'yes'}, {colour: 1}, {}])
		expect(await readOnlyFor(harmless)).toBeUndefined();
});

test('a profile that is not right is left out whole, and costs no other profile', async () => {
	await put(
		'config/lakescope/config.json',
		JSON.stringify({profiles: {lab: {url: 'https://a.example'}, team: {ulr: 'x'}, '../up': {url: 'x'}}}),
	);
	const {config, problems} = await readConfig();
	expect(config).toEqual({profiles: {lab: {url: 'https://a.example'}}});
	expect(problems).toEqual([
		expect.stringMatching(/: the profile "team" is left out: .*"ulr"\.$/),
		expect.stringMatching(/: the profile "\.\.\/up" is left out: a profile is named by letters/),
	]);
});

test('a byte order mark before a configuration is no mistake', async () => {
	await put('config/lakescope/config.json', '\uFEFF{"bell": true}');
	expect(await readConfig()).toMatchObject({config: {bell: true}, problems: []});
});

test('a key in a configuration that others may read is left out, and the way out named', async () => {
	const file = await put('config/lakescope/config.json', '{"key": "k-1234567", "url": "https://a.example"}');
	expect((await readConfig()).config.key).toBe('k-1234567');
	await chmod(file, 0o644);
	const {config, problems} = await readConfig();
	expect(config).toEqual({url: 'https://a.example'});
	expect(problems[0]).toContain(`chmod 600 ${file}`);
	expect(problems[0]).not.toContain('k-1234567');
});

test('the key comes from the environment, else its file, else the configuration', async () => {
	expect((await locateKey({}, {}))?.key).toBeUndefined();
	expect((await locateKey({key: 'configured'}, {}))?.key).toBe('configured');
	await put('config/lakescope/key', 'filed\n');
	expect((await locateKey({key: 'configured'}, {}))?.key).toBe('filed');
	await put('config/lakescope/other', 'named\n');
	expect((await locateKey({keyFile: 'other'}, {}))?.key).toBe('named');
	expect((await locateKey({key: 'configured'}, {LAKESCOPE_API_KEY: ' given '}))?.key).toBe('given');
});

test('a key file that others may read is refused with the way out', async () => {
	const file = await put('config/lakescope/key', 'filed\n');
	await chmod(file, 0o640);
	await expect(locateKey({}, {})).rejects.toThrow(
		new KeyFileError(`Others may read the key in ${file}, so it is not used. Run: chmod 600 ${file}`),
	);
	expect((await locateKey({}, {LAKESCOPE_API_KEY: 'given'}))?.key).toBe('given');
});

test('who is refused is told to change the key that goes first', async () => {
	expect(keyHelp(await locateKey({}, {}), undefined)).toBe(
		'Set it as LAKESCOPE_API_KEY, or store it with: lakescope key',
	);
	const file = await put('config/lakescope/keys/lab', 'filed\n');
	await chmod(file, 0o600);
	const env = {LAKESCOPE_API_KEY: 'given'};
	expect(keyHelp(await locateKey({}, env), undefined)).toBe('Set another one as LAKESCOPE_API_KEY.');
	expect(keyHelp(await locateKey({}, env, 'lab'), 'lab')).toMatch(
		/^It is from .*keys\/lab: lakescope key --profile lab stores another one\.$/,
	);
});

test('a folder in the place of a key file is called one, whoever may read it', async () => {
	await expect(locateKey({keyFile: '/dev'}, {})).rejects.toThrow(
		new KeyFileError('The key file /dev cannot be read: it is a folder.'),
	);
});

test('a key file that was named and is not there is an error', async () => {
	await expect(locateKey({keyFile: '/nowhere/key'}, {})).rejects.toThrow(
		'The key file /nowhere/key cannot be read: no such file or folder.',
	);
});

test('datasets are found at, below and two levels below a folder, and no deeper', async () => {
	for (const name of ['one', 'org/two', 'org/deep/three', '.hidden/four', 'one/nested']) {
		await put(`lerobot/${name}/meta/info.json`, '{}');
	}
	await put('lerobot/empty/readme.txt', '');
	const base = path.join(home, 'lerobot');
	expect(await findDatasets(base)).toEqual([path.join(base, 'one'), path.join(base, 'org/two')]);
	expect(await findDatasets(path.join(base, 'one'))).toEqual([path.join(base, 'one')]);
	expect(await findDatasets(path.join(base, 'nowhere'))).toEqual([]);
});

test('LeRobot’s own folder is where LeRobot looks for it', () => {
	expect(lerobotHome({HF_LEROBOT_HOME: '/a'})).toBe('/a');
	expect(lerobotHome({HF_LEROBOT_HOME: '~/x'})).toBe(path.join(homedir(), 'x'));
	expect(lerobotHome({HF_HOME: '~/x'})).toBe(path.join(homedir(), 'x', 'lerobot'));
	expect(lerobotHome({HF_HOME: '$DISK/hf', DISK: '/d'})).toBe('/d/hf/lerobot');
	expect(lerobotHome({HF_HOME: '/d/$NOBODY', DISK: '/d'})).toBe('/d/$NOBODY/lerobot');
	expect(lerobotHome({XDG_CACHE_HOME: '~/c'})).toBe(path.join(homedir(), 'c', 'huggingface', 'lerobot'));
	expect(lerobotHome({HF_HOME: '/b', XDG_CACHE_HOME: '/c'})).toBe('/b/lerobot');
	expect(lerobotHome({XDG_CACHE_HOME: '/c'})).toBe('/c/huggingface/lerobot');
	expect(lerobotHome({})).toMatch(/\/\.cache\/huggingface\/lerobot$/);
});

test('a written file is complete: what is read while it is replaced is the old or the new', async () => {
	const file = path.join(places().state, 'big.json');
	const contents = ['a', 'b'].map(letter => letter.repeat(200_000));
	await writeDocument(file, contents[0]);
	const writing = Promise.all(
		contents.flatMap(content => [writeDocument(file, content), writeDocument(file, content)]),
	);
	for (let i = 0; i < 20; i++) expect(contents).toContain(JSON.parse(await readFile(file, 'utf8')));
	expect(await writing).toEqual([undefined, undefined, undefined, undefined]);
});
