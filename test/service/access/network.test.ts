import {type ChildProcess, spawn} from 'node:child_process';
import {createHash} from 'node:crypto';
import {once} from 'node:events';
import {chmodSync, writeFileSync} from 'node:fs';
import {hostname} from 'node:os';
import path from 'node:path';
import {text} from 'node:stream/consumers';
import {afterEach, beforeAll, describe, expect, test} from 'vitest';
import {accountId} from '../../../source/service/host/identity.ts';
import {call} from '../support/call.ts';
import {serviceHome} from '../support/service-home.ts';
import {smallDataset} from '../support/small-dataset.ts';

/** Another address of this machine than the one that its own people use. */
const elsewhere = '127.0.0.2';
const home = serviceHome();
const entry = path.resolve(import.meta.dirname, '../../../source/service/main.ts');
const started = new Set<ChildProcess>();
const account = '7d0a5bcb-ef3d-5b94-8a0c-f7dfb9ad5f30';
const sha256 = (key: string) => createHash('sha256').update(key).digest('hex');
let files = 0;

function endAll(): void {
	for (const child of started) child.kill('SIGKILL');
	started.clear();
}

function keysFile(content: unknown, mode = 0o600): string {
	const file = path.join(home.root, `keys-${files++}.json`);
	writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
	chmodSync(file, mode);
	return file;
}

function serve(...args: string[]) {
	const child = spawn(process.execPath, [entry, '--foreground', '--lake', home.lake(), ...args], {
		stdio: ['ignore', 'pipe', 'pipe'],
		env: {...process.env, LAKESCOPE_API_KEY: 'the-owners-key'},
	});
	started.add(child);
	return child;
}

async function refusal(...args: string[]): Promise<string> {
	const child = serve(...args);
	const [[code], words] = await Promise.all([once(child, 'close'), text(child.stderr)]);
	expect(code).toBe(1);
	return words;
}

describe('a service that listens to other machines', () => {
	let url = '';
	let own = '';
	const ownAccount = {key: 'key-of-ana'};

	beforeAll(async () => {
		const probe = await home.join(home.lake());
		const other = '0b7d1c60-3a4e-4f6b-9c1d-2e8f5a7b9c0d';
		const {detail} = (await call(probe, `/v1/datasets/explore?account_id=${other}`, {body: {}})).json<{
			detail: string;
		}>();
		own = /([0-9a-f-]{36})\.$/.exec(detail)?.[1] ?? '';
		const keys = [
			{name: 'ana', sha256: sha256(ownAccount.key), accounts: [other, own]},
			{name: 'ben', sha256: sha256('key-of-ben'), accounts: [other]},
		];
		const file = keysFile({keys, hosts: ['lake.example']});
		const child = serve('--listen', elsewhere, '--keys', file);
		const [line] = (await once(child.stdout, 'data')) as [Buffer];
		url = line.toString().slice('listening '.length).trim();
		return endAll;
	});

	const as = (key: string) => ({url, key});

	test('says that address, and answers a key of its file there, on the account that the key has', async () => {
		expect(new URL(url).hostname).toBe(elsewhere);
		const listed = await call(as('key-of-ana'), '/v1/datasets/list');
		expect([listed.status, listed.json()]).toMatchObject([200, {items: []}]);
		const named = await call(as('key-of-ana'), `/v1/datasets/explore?account_id=${own}`, {body: {}});
		expect(named.status).toBe(200);
	});

	test('refuses a key of other accounts, an account that is not there, no key, and the key of its own people', async () => {
		const refused = await call(as('key-of-ben'), '/v1/datasets/list');
		expect([refused.status, refused.json<{detail: string}>().detail]).toEqual([
			403,
			expect.stringContaining('acts on other accounts'),
		]);
		const other = await call(
			as('key-of-ana'),
			`/v1/datasets/explore?account_id=0b7d1c60-3a4e-4f6b-9c1d-2e8f5a7b9c0d`,
			{body: {}},
		);
		expect(other.status).toBe(403);
		const without = await call(as(''), '/v1/datasets/list', {headers: {'x-api-key': undefined}});
		const owners = await call(as('the-owners-key'), '/v1/datasets/list');
		const hash = await call(as(sha256('key-of-ana')), '/v1/datasets/list');
		expect([without.status, owners.status, hash.status]).toEqual([401, 401, 401]);
	});

	test('keeps what names files of its machine, or ends it, for people on that machine', async () => {
		const folder = await smallDataset(path.join(home.root, 'cups'));
		const tries: ReadonlyArray<readonly [string, object]> = [
			['/local/v1/ingests', {body: {folder}}],
			['/local/v1/%69ngests', {body: {folder}}],
			['/local/v1/retire', {method: 'POST', headers: {'content-length': '0'}}],
			['/local/v1/presence', {}],
			['/local/v1/trainer/environment', {body: {PATH: folder}}],
			['/local/v1/sample', {method: 'POST', headers: {'content-length': '0'}}],
		];
		for (const [target, request] of tries) {
			const answer = await call(as('key-of-ana'), target, request);
			expect([target, answer.status, answer.text]).toEqual([
				target,
				403,
				expect.stringContaining("for callers on the service's own machine"),
			]);
		}
		const {items} = (await call(as('key-of-ana'), '/local/v1/ingests')).json<{items: unknown[]}>();
		expect(items).toEqual([]);
	});

	test('takes a blob by the signature of its target, which leads to the address that the caller came by', async () => {
		const content = 'a piece of a dataset';
		const blob = {blob_id: sha256(content), envelope_sha256: sha256(content), content_length: content.length};
		const prepared = await call(as('key-of-ana'), '/v1/datasets/upload/prepare-batch', {
			body: {blobs: [blob]},
			headers: {'x-forwarded-proto': 'https', 'x-forwarded-host': 'elsewhere.example'},
		});
		const [target] = prepared.json<{targets: Array<{url: string; headers: Record<string, string>}>}>()
			.targets;
		expect(target?.url.startsWith(`${url}/`)).toBe(true);
		const {pathname, search} = new URL(target?.url ?? url);
		const put = (query: string) =>
			call(as(''), pathname + query, {
				method: 'PUT',
				body: content,
				headers: {...target?.headers, 'x-api-key': undefined},
			});
		expect((await put(search.replace(/.$/, last => (last === 'a' ? 'b' : 'a')))).status).toBe(403);
		expect((await put(search)).status).toBe(201);
	});

	test('answers under its addresses and its names, and to no page of another site', async () => {
		const {port} = new URL(url);
		const hosts: ReadonlyArray<readonly [string | undefined, number]> = [
			[`${elsewhere}:${port}`, 200],
			[`[::1]:${port}`, 200],
			[`${hostname()}:${port}`, 200],
			['lake.example', 200],
			['LAKE.example:443', 200],
			['elsewhere.example', 403],
			[`lake.example.elsewhere.example:${port}`, 403],
			['lake.example:80:80', 403],
			['', 403],
		];
		for (const [host, status] of hosts) {
			const answer = await call(as('key-of-ana'), '/v1/datasets/list', {headers: {host}});
			expect([host, answer.status]).toEqual([host, status]);
		}
		const origins: ReadonlyArray<readonly [string, number]> = [
			['https://lake.example', 200],
			['http://lake.example', 200],
			['https://elsewhere.example', 403],
			['null', 403],
		];
		for (const [origin, status] of origins) {
			const headers = {host: 'lake.example', origin};
			const answer = await call(as('key-of-ana'), '/v1/datasets/list', {headers});
			expect([origin, answer.status]).toEqual([origin, status]);
		}
	});
});

describe('a service behind a proxy that is said to be there', () => {
	afterEach(endAll);

	test('leads uploads to where others call, and answers under that name', async () => {
		const file = keysFile({keys: [{name: 'ana', sha256: sha256('key-of-ana'), accounts: [accountId]}]});
		const child = serve('--listen', elsewhere, '--keys', file, '--public-url', 'https://lake.example/lab/');
		const [line] = (await once(child.stdout, 'data')) as [Buffer];
		const url = line.toString().slice('listening '.length).trim();
		const blob = {blob_id: sha256('a'), envelope_sha256: sha256('a'), content_length: 1};
		const prepared = await call({url, key: 'key-of-ana'}, '/v1/datasets/upload/prepare-batch', {
			body: {blobs: [blob]},
			headers: {host: 'lake.example'},
		});
		const {targets} = prepared.json<{targets: Array<{url: string}>}>();
		const target = new URL(targets[0]?.url ?? '');
		expect(target.href).toMatch(/^https:\/\/lake\.example\/lab\/local\/v1\/blobs\//);
		const sent = await call({url, key: ''}, target.pathname.replace('/lab', '') + target.search, {
			method: 'PUT',
			body: 'a',
			headers: {host: 'lake.example', 'x-api-key': undefined},
		});
		expect(sent.status).toBe(201);
	});
});

describe('is refused with a sentence', () => {
	afterEach(endAll);
	const key = {name: 'ana', sha256: sha256('x'), accounts: [account]};
	const cases: ReadonlyArray<[string, () => string[], RegExp]> = [
		[
			'an address without keys',
			() => ['--listen', elsewhere],
			/--listen ADDR lets other machines call: give --keys FILE/,
		],
		['keys without an address', () => ['--keys', keysFile({keys: [key]})], /give --listen ADDR too/],
		[
			'a public address without listening',
			() => ['--public-url', 'https://a.example'],
			/give --listen ADDR and/,
		],
		[
			'a public address that is none',
			() => ['--listen', elsewhere, '--keys', keysFile({keys: [key]}), '--public-url', 'lake.example'],
			/--public-url takes an address such as https:.*not "lake\.example"/,
		],
		[
			'a public address with a password',
			() => [
				'--listen',
				elsewhere,
				'--keys',
				keysFile({keys: [key]}),
				'--public-url',
				'https://a:b@c.example',
			],
			/--public-url takes an address/,
		],
		['a name as address', () => ['--listen', 'lab-3', '--keys', keysFile({keys: [key]})], /not "lab-3"/],
		[
			'an address of another machine',
			() => ['--listen', '192.0.2.1', '--keys', keysFile({keys: [key]})],
			/192\.0\.2\.1 is not an address of this machine/,
		],
		[
			'a keys file that is not there',
			() => ['--listen', elsewhere, '--keys', path.join(home.root, 'none')],
			/there is no such file\. It holds/,
		],
		[
			'a keys file that others may read',
			() => ['--listen', elsewhere, '--keys', keysFile({keys: [key]}, 0o640)],
			/others may read it\. Run: chmod 600/,
		],
		[
			'a keys file that is no JSON',
			() => ['--listen', elsewhere, '--keys', keysFile('keys')],
			/it is not JSON/,
		],
		[
			'a keys file without keys',
			() => ['--listen', elsewhere, '--keys', keysFile({keys: []})],
			/cannot be used: keys: /,
		],
		[
			'a key in the clear',
			() => ['--listen', elsewhere, '--keys', keysFile({keys: [{...key, sha256: 'secret'}]})],
			/keys\.0\.sha256: must be 64/,
		],
		[
			'a key without accounts',
			() => ['--listen', elsewhere, '--keys', keysFile({keys: [{...key, accounts: []}]})],
			/keys\.0\.accounts/,
		],
		[
			'a key that is there twice',
			() => ['--listen', elsewhere, '--keys', keysFile({keys: [key, {...key, name: 'ben'}]})],
			/the key of "ben" is there twice/,
		],
	];
	test.each(cases)('%s', async (_, args, words) => {
		const said = await refusal(...args());
		expect(said).toMatch(words);
		expect(said.trim().split('\n')).toHaveLength(1);
	});
});
