import {execFile, spawnSync} from 'node:child_process';
import {mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {promisify} from 'node:util';
import fc from 'fast-check';
import {afterEach, beforeEach, expect, test} from 'vitest';
import type {Explorer} from '../../../source/store/explorer.ts';
import {commandLines, curlLines, shellWord} from '../../../source/store/export/shell-lines.ts';
import {moved} from '../../../source/store/state/transitions.ts';
import {hosted} from '../../support/hosted.ts';
import {explorerOf, filterOf, until} from '../support.ts';

const run = promisify(execFile);
const hasCurl = spawnSync('curl', ['--version']).error === undefined;
let folder: string;

beforeEach(() => {
	folder = mkdtempSync(path.join(tmpdir(), 'lakescope-export-'));
});

afterEach(() => rmSync(folder, {recursive: true, force: true}));

async function opened(episodes: number | {count: number; hostile: boolean}, line = '') {
	const service = await hosted({episodes});
	const explorer = explorerOf(service, {filter: filterOf(line)});
	await until(explorer.window.result, ({totals}) => totals !== undefined);
	return {service, explorer};
}

const total = (explorer: Explorer) => Number(explorer.window.result.getState().totals?.episodes);
const fail = (file: string) => {
	throw new Error(`asked about ${file}`);
};
const told = {exists: fail, refused: fail, begun: () => undefined};

test('all that match are written page after page, each form whole', async () => {
	const {explorer} = await opened(1000, 'tier:retrainable');
	const selection = explorer.selection.subject();
	const texts = new Map<string, string>();
	for (const form of ['jsonl', 'json', 'csv', 'ids'] as const) {
		const file = path.join(folder, form);
		await explorer.exports.toFile({selection, form}, {...told, typed: file, overwrite: false});
		texts.set(form, readFileSync(file, 'utf8'));
	}
	const count = total(explorer);
	const ids = texts.get('ids')?.trimEnd().split('\n') ?? [];
	expect(new Set(ids).size).toBe(count);
	const lines = texts.get('jsonl')?.trimEnd().split('\n') ?? [];
	expect(lines.map(line => JSON.parse(line).episode_id)).toEqual(ids);
	const document = JSON.parse(texts.get('json') ?? '');
	expect(document.total).toBe(count);
	expect(document.episodes.map((each: {episode_id: string}) => each.episode_id)).toEqual(ids);
	expect(
		texts
			.get('csv')
			?.trimEnd()
			.split('\n')
			.slice(1)
			.map(line => line.split(',')[0]),
	).toEqual(ids);
	expect(readdirSync(folder).sort()).toEqual(['csv', 'ids', 'json', 'jsonl']);
});

test('a CSV of hostile episodes holds no control character and no formula', async () => {
	const {explorer} = await opened({count: 200, hostile: true});
	const file = path.join(folder, 'hostile.csv');
	const content = {selection: explorer.selection.subject(), form: 'csv'} as const;
	await explorer.exports.toFile(content, {...told, typed: file, overwrite: false});
	const text = readFileSync(file, 'utf8');
	expect(text).toContain('\\u001b[2J');
	expect(text.trimEnd().split('\n')).toHaveLength(201);
	expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
	expect(text).not.toMatch(/(?:^|,)"?[=+@]/m);
});

test('a file that is there is asked about, and stays as it is', async () => {
	const {explorer} = await opened(20);
	const file = path.join(folder, 'out');
	writeFileSync(file, 'mine');
	const asked: string[] = [];
	const content = {selection: explorer.selection.subject(), form: 'ids'} as const;
	const target = {...told, typed: file, exists: (name: string) => void asked.push(name)};
	await explorer.exports.toFile(content, {...target, overwrite: false});
	expect({asked, text: readFileSync(file, 'utf8')}).toEqual({asked: [file], text: 'mine'});
	await explorer.exports.toFile(content, {...target, overwrite: true});
	expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toHaveLength(20);
});

test('a file that cannot be begun is refused with the reason, before anything is read', async () => {
	const {service, explorer} = await opened(20);
	const content = {selection: explorer.selection.subject(), form: 'ids'} as const;
	const heard: string[] = [];
	// The explorer's own questions about the service go on meanwhile.
	const pages = () => service.requests.filter(request => request.path === '/v1/datasets/explore').length;
	const before = pages();
	await explorer.exports.toFile(content, {
		...told,
		typed: path.join(folder, 'nowhere', 'out'),
		overwrite: false,
		refused: reason => void heard.push(reason),
		begun: () => void heard.push('begun'),
	});
	expect(heard).toEqual([expect.stringContaining('nowhere/out cannot be written')]);
	expect(pages()).toBe(before);
	expect(explorer.state.getState().notices).toEqual([]);
});

test('one that is stopped, and one that the service breaks, leave no file', async () => {
	const {service, explorer} = await opened(5000);
	const content = {selection: explorer.selection.subject(), form: 'jsonl'} as const;
	const target = {...told, typed: path.join(folder, 'out'), overwrite: false};
	const writing = explorer.exports.toFile(content, target);
	await until(explorer.work.known, ([work]) => work?.share !== undefined);
	explorer.work.known.getState()[0]?.cancel();
	await writing;
	expect(readdirSync(folder)).toEqual([]);
	expect(explorer.state.getState().notices.at(-1)?.text).toContain('Cancelled');
	const again = explorer.exports.toFile(content, target);
	await until(explorer.work.known, ([work]) => work?.share !== undefined);
	await service.close();
	await again;
	expect(readdirSync(folder)).toEqual([]);
	expect(explorer.state.getState().notices.at(-1)?.kind).toBe('error');
});

test('an explorer that ends while one is written leaves nothing of it', async () => {
	const {explorer} = await opened(5000);
	const content = {selection: explorer.selection.subject(), form: 'jsonl'} as const;
	const target = {...told, typed: path.join(folder, 'out'), overwrite: false};
	const writing = explorer.exports.toFile(content, target);
	await until(explorer.work.known, ([work]) => work?.share !== undefined);
	explorer.stop();
	expect(readdirSync(folder)).toEqual([]);
	await writing;
	expect(readdirSync(folder)).toEqual([]);
});

test('a word for the shell is read back as it was', async () => {
	const words = fc
		.sample(fc.string({unit: 'grapheme', maxLength: 40}), 60)
		.filter(word => !word.includes('\0'));
	const script = `printf '%s\\0' ${words.map(shellWord).join(' ')}`;
	const {stdout} = await run('/bin/sh', ['-c', script]);
	expect(stdout.split('\0').slice(0, -1)).toEqual(words);
});

test.skipIf(!hasCurl)(
	'the curl line gives the first page, with the key from the environment alone',
	async () => {
		const {service, explorer} = await opened(300, 'tier:retrainable');
		const line = curlLines(explorer.selection.subject(), explorer.client.address, explorer.serviceName);
		expect(line).not.toContain(service.key);
		const {stdout} = await run('/bin/sh', ['-c', line], {
			env: {...process.env, LAKESCOPE_API_KEY: service.key},
			maxBuffer: 64 << 20,
		});
		expect(JSON.parse(stdout)).toMatchObject({total: total(explorer), page_limit: 200});
	},
);

test('the command line says filter, service and what is left out', async () => {
	const {explorer} = await opened(300, 'tier:retrainable order:desc');
	const service = {flags: ['--url', 'https://lake.example.com']};
	explorer.selection.toggleAll();
	await explorer.selection.toggle();
	const without = explorer.selectedEpisode()?.episode_id;
	expect(commandLines(explorer.selection.subject(), service)).toBe(
		`lakescope episodes 'tier:retrainable order:desc' --jsonl --all --url https://lake.example.com | grep -vF -e '"episode_id":"${without}"'`,
	);
	explorer.selection.drop();
	explorer.update(moved(() => ({selected: 2, offset: 0})));
	await explorer.selection.toggle();
	const {dataset_name, episode_index} = explorer.selectedEpisode() ?? {};
	expect(commandLines(explorer.selection.subject(), {flags: []})).toBe(
		`lakescope episodes 'dataset:${dataset_name} index:${episode_index}' --jsonl`,
	);
});
