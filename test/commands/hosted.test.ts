import {afterEach, beforeAll, expect, test} from 'vitest';
import {exploreResponse} from '../../source/contract/explore.ts';
import {empty, html, refused, reset} from '../hosted-service/faults.ts';
import {type HostedService, startHostedService} from '../hosted-service/server.ts';
import {type Environment, programHome} from './support/program.ts';

const home = programHome();
let service: HostedService;
let hosted: Environment;

beforeAll(async () => {
	service = await startHostedService({episodes: 450});
	hosted = {LAKESCOPE_URL: service.url, LAKESCOPE_API_KEY: service.key};
	return () => service.close();
});

afterEach(() => {
	service.setFault('*');
	service.setEpisodes(450);
});

/** What the service itself answers. */
async function explore(body: object) {
	const answer = await fetch(`${service.url}/v1/datasets/explore`, {
		method: 'POST',
		headers: {'content-type': 'application/json', 'x-api-key': service.key},
		body: JSON.stringify(body),
	});
	return (await answer.json()) as {episodes: {episode_id: string; task: string}[]; total: number};
}

const lines = (text: string) => text.trimEnd().split('\n');

test('episodes --json is the service’s own answer', async () => {
	const {code, stdout, stderr} = await home.run(['episodes', '--json'], hosted);
	expect(stderr).toBe('');
	expect(code).toBe(0);
	expect(JSON.parse(stdout)).toEqual(await explore({limit: 50, offset: 0}));
	const some = await home.run(
		['episodes', '--json', '--limit', '3', '--offset', '7', 'tier:retrainable'],
		hosted,
	);
	expect(JSON.parse(some.stdout)).toEqual(await explore({tiers: ['retrainable'], limit: 3, offset: 7}));
});

test('a limit beyond a page pages through, and the shape stays', async () => {
	const {stdout} = await home.run(['episodes', '--json', '--limit', '430', '--offset', '5'], hosted);
	const got = JSON.parse(stdout);
	const pages = await Promise.all([5, 205, 405].map(offset => explore({offset, limit: 200})));
	const ids = pages.flatMap(({episodes}) => episodes.map(({episode_id}) => episode_id)).slice(0, 430);
	expect(got.episodes.map((episode: {episode_id: string}) => episode.episode_id)).toEqual(ids);
	expect(got).toMatchObject({total: 450, page_offset: 5, page_limit: 430});
	expect(Object.keys(got).sort()).toEqual(Object.keys(exploreResponse.shape).sort());
});

test('--all --jsonl gives every episode once', async () => {
	const {code, stdout} = await home.run(['episodes', '--all', '--jsonl'], hosted);
	expect(code).toBe(0);
	const ids = lines(stdout).map(line => JSON.parse(line).episode_id);
	expect(ids).toHaveLength(450);
	expect(new Set(ids).size).toBe(450);
});

test('values are not left out by a service that has no such filter, and it is not asked', async () => {
	const before = service.requests.length;
	const {code, stdout, stderr} = await home.run(
		['episodes', '--json', 'tier:retrainable', '-tag:night'],
		hosted,
	);
	expect({code, stdout}).toEqual({code: 2, stdout: ''});
	expect(stderr).toContain(
		`has no filter that leaves values out (-key:value); lakescope's own service has.\n  tier:retrainable -tag:night\n                   ^`,
	);
	expect(service.requests.slice(before).map(({path}) => path)).not.toContain('/v1/datasets/explore');
});

test('--csv has a title line and one line an episode', async () => {
	service.setEpisodes({count: 4});
	const {stdout} = await home.run(['episodes', '--csv'], hosted);
	const [titles, ...rows] = lines(stdout);
	expect(titles).toMatch(
		/^episode_id,dataset_id,dataset_name,episode_index,task,.*,sparc,ldlj,.*,other_metrics$/,
	);
	const {episodes} = await explore({});
	expect(rows).toHaveLength(4);
	expect(rows.map(row => row.split(',')[0])).toEqual(episodes.map(({episode_id}) => episode_id));
});

test('the table says the same episodes, one a line', async () => {
	const {stdout} = await home.run(['episodes', '--limit', '5'], hosted);
	const [titles, ...rows] = lines(stdout);
	expect(titles).toMatch(/^dataset +# +s +frames +Q +tier +review +task$/);
	expect(rows).toHaveLength(5);
});

test('hostile strings reach no terminal as they are, and lose nothing as JSON', async () => {
	service.setEpisodes({count: 60, hostile: true});
	const raw = await explore({limit: 60});
	// Emoji that terminals draw as one glyph are joined by what is unprintable elsewhere.
	const withoutEmoji = (text: string) => text.replaceAll(/\p{RGI_Emoji}/gv, '');
	const unprintable = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
	for (const format of ['', '--json', '--jsonl']) {
		const {code, stdout, stderr} = await home.run(
			['episodes', '--limit', '60', format].filter(Boolean),
			hosted,
		);
		expect(code).toBe(0);
		expect(withoutEmoji(stdout + stderr)).not.toMatch(unprintable);
		if (format === '--json') expect(JSON.parse(stdout)).toEqual(raw);
		if (format === '') expect(lines(stdout)).toHaveLength(61);
	}
	const summary = await home.run([], hosted);
	expect(summary.code).toBe(0);
	expect(withoutEmoji(summary.stdout)).not.toMatch(unprintable);
});

test('dataset names are looked up, and one that nobody knows is a usage error', async () => {
	const {episodes} = await explore({limit: 1, offset: 449});
	const {dataset_name} = episodes[0] as unknown as {dataset_name: string};
	const {stdout} = await home.run(['episodes', '--jsonl', '--all', `dataset:${dataset_name}`], hosted);
	const names = new Set(lines(stdout).map(line => JSON.parse(line).dataset_name));
	expect([...names]).toEqual([dataset_name]);
	const nowhere = await home.run(['episodes', 'dataset:nowhere'], hosted);
	expect(nowhere).toMatchObject({code: 2, stdout: ''});
	expect(nowhere.stderr).toContain(
		'  dataset:nowhere\n          ^^^^^^^\nColumn 9: found nowhere, expected the name of a dataset of this lake',
	);
	const nearly = await home.run(['episodes', `towel dataset:${dataset_name.slice(0, -1)}`], hosted);
	expect(nearly.stderr).toMatch(/Column 15: .* is not the name of a dataset of this lake; did you mean /);
});

test('a validation error of the service is shown at the term that it is about', async () => {
	const issue = {
		loc: ['body', 'numeric_predicates', 1, 'value'],
		msg: 'is beyond this lake',
		type: 'value_error',
	};
	service.setFault('*', refused(422, [issue]));
	const {code, stderr} = await home.run(['episodes', 'towel sparc>1 frame_count>9'], hosted);
	expect(code).toBe(1);
	expect(stderr).toContain(
		'  towel sparc>1 frame_count>9\n                ^^^^^^^^^^^^^\nColumn 15: the service refuses this: is beyond this lake',
	);
});

test('datasets prints the listing, also as JSON', async () => {
	const {stdout, code} = await home.run(['datasets', '--json'], hosted);
	expect(code).toBe(0);
	const {items, page_info} = JSON.parse(stdout);
	expect(page_info.has_next).toBe(false);
	expect(items.length).toBeGreaterThan(0);
	const table = lines((await home.run(['datasets'], hosted)).stdout);
	expect(table).toHaveLength(items.length + 1);
	expect(table.slice(1).map(line => line.split(' ')[0])).toEqual(
		items.map((item: {path: string}) => item.path),
	);
});

test('without a terminal lakescope prints a summary and ends with 0', async () => {
	const {code, stdout, stderr} = await home.run([], hosted);
	expect(stderr).toBe('');
	expect(code).toBe(0);
	const {total} = await explore({});
	expect(lines(stdout)[0]).toContain(service.url);
	expect(lines(stdout)[0]).toContain(`${total} episodes`);
	for (const title of ['Tier', 'Task', 'Layout']) expect(stdout).toMatch(new RegExp(`^${title} `, 'm'));
	const filtered = await home.run(['tier:analyze_only'], hosted);
	expect(filtered.stdout).toContain('filter      tier:analyze_only');
	expect(filtered.stdout).toContain(`${(await explore({tiers: ['analyze_only']})).total} episodes`);
});

test('a filter that lets nothing through is explained, and costs the data nothing', async () => {
	const {total} = await explore({tiers: ['retrainable']});
	const line = 'tier:retrainable duration_s>1e9';
	const {code, stdout, stderr} = await home.run(['episodes', line], hosted);
	expect({code, stdout}).toEqual({code: 0, stdout: expect.stringMatching(/^dataset .*\n$/)});
	expect(stderr).toBe(`No episode matches the filter.\nWithout duration_s>1000000000 there are ${total}.\n`);
	const misspelt = await home.run(['episodes', 'task:"FOLD the towel"'], hosted);
	expect(misspelt.stderr).toContain('No episode has the task "FOLD the towel".');
	const rows = await home.run(['episodes', line, '--jsonl'], hosted);
	expect(rows).toMatchObject({code: 0, stdout: '', stderr: ''});
	expect((await home.run(['episodes', '--offset', '4000'], hosted)).stderr).toBe('');
	expect((await home.run([line], hosted)).stdout).toContain('Without duration_s>1000000000');
});

test('the account is passed on, from the flag and from the environment', async () => {
	const account = service.account;
	await home.run(['episodes', '--account', account], hosted);
	expect(service.requests.at(-1)?.path ?? '').toContain('/v1/datasets/explore');
	expect(JSON.stringify(service.requests.at(-1))).toContain(account);
	await home.run(['episodes'], {...hosted, LAKESCOPE_ACCOUNT_ID: account});
	expect(JSON.stringify(service.requests.at(-1))).toContain(account);
});

test('a missing or a wrong key ends with 4 and says which it is', async () => {
	const missing = await home.run(['episodes'], {LAKESCOPE_URL: service.url});
	expect(missing).toMatchObject({code: 4, stdout: ''});
	expect(missing.stderr).toContain(
		'asks for a key (401: Missing API key). Set it as LAKESCOPE_API_KEY, or store it with: lakescope key',
	);
	const wrong = await home.run(['episodes'], {...hosted, LAKESCOPE_API_KEY: 'not-the-key'});
	expect(wrong).toMatchObject({code: 4, stdout: ''});
	expect(wrong.stderr).toContain('refused the key (401: Invalid API key)');
	expect(wrong.stderr).not.toContain('not-the-key');
});

test.each([
	['a page for people', html(), 5, 'with HTML where JSON was expected'],
	['nothing', empty(), 5, 'with nothing where JSON was expected'],
	['a closed connection', reset, 3, 'closed the connection before its answer was complete'],
	['an error page', html(500), 1, 'with 500: '],
])('a service that answers %s ends the command in a sentence', async (_, fault, exitCode, sentence) => {
	service.setFault('*', fault);
	const {code, stdout, stderr} = await home.run(['episodes', '--jsonl'], hosted);
	expect(stderr).toContain(sentence);
	expect(lines(stderr)).toHaveLength(1);
	expect({code, stdout}).toEqual({code: exitCode, stdout: ''});
});

test('a reader that goes away ends the command quietly', async () => {
	const child = home.start(['episodes', '--all', '--jsonl'], hosted);
	child.stdout?.once('data', () => child.stdout?.destroy());
	let stderr = '';
	child.stderr?.setEncoding('utf8').on('data', chunk => {
		stderr += chunk;
	});
	const code = await new Promise(resolve => child.once('close', resolve));
	expect({code, stderr}).toEqual({code: 0, stderr: ''});
});
