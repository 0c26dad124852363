import {spawn} from 'node:child_process';
import {cpSync, existsSync, readdirSync, readFileSync} from 'node:fs';
import {mkdir, symlink, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {expect, inject, test} from 'vitest';
import packageJson from '../../package.json' with {type: 'json'};
import {readCommandLine} from '../../source/commands/command-line.ts';
import {commonFlags, flagNames} from '../../source/commands/flags.ts';
import {usageOf} from '../../source/commands/help.ts';
import {commandNames, commands} from '../../source/commands/registry.ts';
import {ended, programHome} from './support/program.ts';

const home = programHome();
const id = '0190c3a1-7b1e-7c3d-9a55-2f1f0f5e7a10';

test('--version is the package’s, --help names every command and every flag', async () => {
	expect(await home.run(['--version'])).toMatchObject({code: 0, stdout: `${packageJson.version}\n`});
	const help = await home.run(['--help']);
	expect(help.code).toBe(0);
	for (const command of commandNames) expect(help.stdout).toMatch(new RegExp(`^ .*\\b${command}\\b`, 'm'));
	for (const flag of flagNames) expect(help.stdout).toContain(`--${flag}`);
	expect(Math.max(...help.stdout.split('\n').map(line => line.length))).toBeLessThanOrEqual(80);
});

test('the help of a command is about that command', async () => {
	const help = await home.run(['upload', '--help']);
	expect(help.code).toBe(0);
	for (const own of ['lakescope upload DIR…', '--limit-rate', '--force', '--name', '--url', 'Exit codes'])
		expect(help.stdout).toContain(own);
	for (const other of ['lakescope serve', '--port', '--watch', 'Filter'])
		expect(help.stdout).not.toContain(other);
	expect(await home.run(['help', 'upload'])).toEqual(help);
	expect(await home.run(['help'])).toEqual(await home.run(['--help']));
	expect((await home.run(['episodes', 'tier:none', '-h'])).stdout).toContain(
		'Other words are searched as text',
	);
});

test('every command has its line and its flags in its own help', () => {
	for (const command of commands) {
		const own = usageOf(command);
		expect(own).toMatch(new RegExp(`^  lakescope .*\\b${command.name}\\b`, 'm'));
		const taken = [...commonFlags, ...command.flags.flatMap(({flags}) => flags)];
		for (const flag of taken) expect(own).toMatch(new RegExp(`--${flag}\\b(?!-)`));
	}
});

test.each([
	[['--nope'], '--nope'],
	[['episodes', '--limit', 'ten'], '--limit must be a whole number from 1 to 4294967295, and "ten" is not.'],
	[['episodes', '--limit', '0'], '--limit must be'],
	[['episodes', '--offset', '-1'], '--offset needs a value; one that begins with "-" is written --offset=-…'],
	[['episodes', '--offset=-1'], '--offset must be a whole number'],
	[['episodes', '--offset', '4294967296'], '--offset must be a whole number from 0 to 4294967295'],
	[['episodes', '--all', '--limit', '5'], 'Give either --all or --limit.'],
	[['episodes', '--json', '--csv'], 'Give one of --json and --csv.'],
	[
		['ingest', '--json', '.'],
		'--json belongs to lakescope episodes, triage, datasets, check, doctor, jobs, models, projects, uploads, finetune, augmentation, sync-status and events, not to lakescope ingest.',
	],
	[['--url'], "'--url <value>' argument missing"],
	[['--url='], '--url needs a value.'],
	[['--url', 'a', '--url', 'b'], '--url is given twice'],
	[['--url', 'nope'], 'must be a URL such as https://lake.example.com, and "nope" is not one.'],
	[['--url', 'ftp://a.example', 'episodes'], 'must begin with https:// or http://'],
	[['--url', 'http://a.example', '--lake', 'x'], 'give one of them'],
	[['--lake', 'x', '--sample'], 'give one of them'],
	[['--account', '0190c3a1-7b1e-7c3d-9a55-2f1f0f5e7a10', 'jobs'], 'the embedded one has only one'],
	[['--frobnicate'], "Unknown option '--frobnicate'. See lakescope --help.\n"],
	[['episodes', '--limt', '5'], "Unknown option '--limt'. Did you mean --limit"],
	[['--json=x', 'jobs'], "Option '--json' does not take an argument. See lakescope --help.\n"],
	[['--json=true', 'jobs'], "Option '--json' does not take an argument."],
	[['--readOnly', 'jobs'], "Unknown option '--readOnly'. Did you mean --read-only?"],
	[['--no-json', 'jobs'], "Unknown option '--no-json'."],
	[['--limit.a', '5', 'jobs'], "Unknown option '--limit.a'. See lakescope --help.\n"],
	[['-x', 'jobs'], "Unknown option '-x'."],
	[['--jsn=x', 'jobs'], "Unknown option '--jsn'. Did you mean --json"],
	[
		['help', 'ingst'],
		'There is no command ingst. Did you mean lakescope help ingest? lakescope --help lists all.',
	],
	[['help', 'nothing'], 'There is no command nothing. lakescope --help lists all.'],
	[['serve', '--port', '65536'], '--port must be a whole number from 0 to 65535'],
	[['serve', 'here'], 'lakescope serve takes no "here".'],
	[['datasets', 'all'], 'lakescope datasets takes no "all".'],
	[['dataset'], 'Did you mean lakescope datasets? To search the lake for the word: lakescope -- dataset'],
	[['open', 'job:12'], '"job:12" is not a link.'],
	[['open', `job:${id}`], `Without one, "lakescope finetune ${id}" prints its status`],
	[['open', `upload:${id}`], `Without one, "lakescope sync-status ${id}" prints its status`],
	[['open', `dataset:${id}`], `Without one, "lakescope episodes dataset:${id}" prints its episodes`],
	[['open', `model:${id}`], 'Without one, "lakescope models --json" prints it'],
	[['open', `project:${id}`], 'Without one, "lakescope projects --json" prints it'],
	[['open', 'episode:cups/3'], 'Without one, "lakescope episodes dataset:cups index:3 --json" prints it'],
	[['open'], 'lakescope open takes one link'],
	[['ingest'], 'Name a folder: lakescope ingest DIR…'],
	[['ingest', 'nowhere'], 'There is no folder nowhere.'],
	[['ingest', '/dev/null'], '/dev/null is a file, not a folder'],
	[['ingest', '--sample', '.'], 'nothing can be ingested into it'],
	[['ingest', '--read-only', '.'], 'read-only'],
	[['./nowhere'], 'There is no folder ./nowhere.'],
	[['--sample', '.'], 'not into the sample'],
])('%j is a usage error that says what is wrong', async (args, sentence) => {
	const {code, stdout, stderr} = await home.run(args);
	expect(stderr).toContain(sentence);
	expect(code).toBe(2);
	expect(stdout).toBe('');
});

test.each([
	[['episodes', '-tag:suspect', '--limit', '3'], ['-tag:suspect'], {limit: '3'}],
	[['-duration_s>3', '-max(a.b)<2', 'towel'], ['-duration_s>3', '-max(a.b)<2', 'towel'], {}],
	[['api', 'GET', '/x', '--input', '-'], ['GET', '/x'], {input: '-'}],
	[['ingest', '--name', '"quoted"', '007', '1e3'], ['007', '1e3'], {name: '"quoted"'}],
	[['ingest', '--name="a=b"', 'true'], ['true'], {name: '"a=b"'}],
	[['--json', 'jobs', '--', '--limit'], ['--limit'], {json: true}],
	[['--', 'jobs', '--limit'], ['jobs', '--limit'], {}],
])('%j is read word for word', (args, words, flags) => {
	expect(readCommandLine(args).line).toMatchObject({words, flags});
	expect(Object.keys(readCommandLine(args).line.flags)).toEqual(Object.keys(flags));
});

test('a filter that cannot be read is shown with a mark below its mistake', async () => {
	const {code, stderr} = await home.run(['episodes', 'tier:retrainable', 'qualty_score>0.8']);
	expect(code).toBe(2);
	expect(stderr.split('\n').slice(0, 4)).toEqual([
		'lakescope: The filter cannot be read.',
		'  tier:retrainable qualty_score>0.8',
		'                   ^^^^^^^^^^^^',
		expect.stringMatching(/^Column 18: qualty_score is not a numeric field; did you mean quality_score\?/),
	]);
});

test('an account that is no UUID is a usage error', async () => {
	const args = ['--url', 'http://127.0.0.1:9', '--account', 'mine', 'episodes'];
	expect(await home.run(args)).toMatchObject({
		code: 2,
		stderr: expect.stringContaining('account_id must be a UUID'),
	});
});

test('what of the configuration is left out is said, and the rest is used', async () => {
	await mkdir(home.at('elsewhere/lakescope'), {recursive: true});
	await writeFile(home.at('elsewhere/lakescope/config.json'), '{"url": "http://127.0.0.1:9", "colour": 1}');
	const {code, stderr} = await home.run(['datasets'], {XDG_CONFIG_HOME: home.at('elsewhere')});
	expect(code).toBe(3);
	expect(stderr).toContain('"colour" is unknown and ignored.');
	expect(stderr).toContain('Nothing listens at http://127.0.0.1:9');
});

test('a folder whose metadata cannot be looked at is not said to have none', async () => {
	await mkdir(home.at('odd'));
	await symlink('meta', home.at('odd', 'meta'));
	const {code, stderr} = await home.run(['ingest', home.at('odd')]);
	expect(code).toBe(2);
	expect(stderr).toBe(
		`lakescope: meta/info.json in ${home.at('odd')} is a link that leads back to itself: copy or download the dataset again.\n`,
	);
});

test('where the configuration cannot be read nothing is changed, and it is said why', async () => {
	await mkdir(home.at('broken/lakescope'), {recursive: true});
	await writeFile(home.at('broken/lakescope/config.json'), '{"readOnly": true,}');
	for (const command of [
		['ingest', '.'],
		['upload', '.'],
		['compose', 'a', 'b'],
		['api', 'DELETE', '/x'],
	]) {
		const {code, stdout, stderr} = await home.run(command, {XDG_CONFIG_HOME: home.at('broken')});
		expect({code, stdout}).toEqual({code: 2, stdout: ''});
		expect(stderr).toContain('while lakescope is read-only');
		expect(stderr).toContain('broken/lakescope/config.json is not JSON');
	}
});

test('a data folder that is no absolute path is not made in the folder one stands in', async () => {
	const {code, stdout} = await home.run(['doctor'], {XDG_DATA_HOME: 'here'});
	expect(code).toBe(0);
	expect(stdout).toContain('the lake in ~/.local/share/lakescope/lake (the default)');
});

test('a key file that others may read is refused with exit code 4', async () => {
	await mkdir(home.at('open/lakescope'), {recursive: true});
	await writeFile(home.at('open/lakescope/key'), 'secret-key', {mode: 0o644});
	const args = ['--url', 'http://127.0.0.1:9', 'datasets'];
	const {code, stderr} = await home.run(args, {XDG_CONFIG_HOME: home.at('open')});
	expect(code).toBe(4);
	expect(stderr).toContain(`chmod 600 ${home.at('open/lakescope/key')}`);
	expect(stderr).not.toContain('secret-key');
});

/** Makes Node claim an older version, before the program's first line runs. */
const older = [
	'--import',
	'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.19.0"}})',
];

test('under an older Node the program hands over to the runtime that comes with it', async () => {
	expect(await home.run(['--version'], {}, older)).toMatchObject({
		code: 0,
		stdout: `${packageJson.version}\n`,
	});
	expect((await home.run(['--nope'], {}, older)).code).toBe(2);
});

test('under an older Node without that runtime it ends in one clear line', async () => {
	const bundle = path.dirname(inject('cli'));
	expect(existsSync(path.join(bundle, 'chunks'))).toBe(true);
	cpSync(bundle, home.at('moved'), {recursive: true});
	await writeFile(home.at('moved/package.json'), '{"type": "module"}');
	const child = spawn(process.execPath, [...older, home.at('moved/cli.js')], {
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const {code, stdout, stderr} = await ended(child);
	expect(code).toBe(1);
	expect(stdout).toBe('');
	expect(stderr.trimEnd().split('\n')).toEqual([
		expect.stringMatching(/^lakescope: this is Node 20\.19\.0, and 24 or newer is needed\./),
	]);
});

test('what a start compiles before its cache is open is small, and runs under an old Node', () => {
	const bundle = path.dirname(inject('cli'));
	const chunks = readdirSync(path.join(bundle, 'chunks'));
	const cache = chunks.filter(name => name.startsWith('compile-cache-'));
	expect(cache).toHaveLength(1);
	const loaded = new Map<string, string>();
	const load = (file: string): void => {
		if (loaded.has(file)) return;
		const code = readFileSync(file, 'utf8');
		loaded.set(file, code);
		for (const [, name = ''] of code.matchAll(/\bfrom\s*"(\.[^"]+)"/g))
			load(path.join(path.dirname(file), name));
	};
	load(path.join(bundle, 'cli.js'));
	load(path.join(bundle, 'embedded-service.js'));
	load(path.join(bundle, 'chunks', `${cache[0]}`));
	const code = [...loaded.values()].join('');
	expect(code).toContain('enableCompileCache(');
	expect(code.length).toBeLessThan(16_000);
	expect(readFileSync(path.join(bundle, 'cli.js'), 'utf8')).not.toContain('getBuiltinModule');
});
