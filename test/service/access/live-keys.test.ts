import {type ChildProcess, spawn} from 'node:child_process';
import {createHash} from 'node:crypto';
import {once} from 'node:events';
import {chmodSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {afterEach, expect, test} from 'vitest';
import {accountId} from '../../../source/service/host/identity.ts';
import {readEvents} from '../events/reader.ts';
import {type Address, type Call, call} from '../support/call.ts';
import {project, started, trainingHome} from '../support/training-home.ts';

/** Another address of this machine than the one that its own people use. */
const elsewhere = '127.0.0.2';
const home = trainingHome();
const entry = path.resolve(import.meta.dirname, '../../../source/service/main.ts');
const children = new Set<ChildProcess>();
const patience = {timeout: 20_000, interval: 20};
const key = (name: string, role?: string) => ({
	name,
	sha256: createHash('sha256').update(`key-of-${name}`).digest('hex'),
	accounts: [accountId],
	...(role !== undefined && {role}),
});
let files = 0;

afterEach(() => {
	for (const child of children) child.kill('SIGKILL');
	children.clear();
});

/** A service that listens to other machines, with what it says on stderr. */
async function serve(keys: readonly object[]) {
	const lake = home.lake();
	const file = path.join(home.root, `keys-${files++}.json`);
	const put = (content: unknown) =>
		writeFileSync(file, typeof content === 'string' ? content : JSON.stringify({keys: content}), {
			mode: 0o600,
		});
	put(keys);
	const args = [entry, '--foreground', '--lake', lake, '--listen', elsewhere, '--keys', file];
	const {LAKESCOPE_TRAINER: _, ...env} = process.env;
	const child = spawn(process.execPath, args, {stdio: ['ignore', 'pipe', 'pipe'], env});
	children.add(child);
	let said = '';
	child.stderr.setEncoding('utf8').on('data', (text: string) => {
		said += text;
	});
	const [line] = (await once(child.stdout, 'data')) as [Buffer];
	const url = line.toString().slice('listening '.length).trim();
	const as = (name: string): Address => ({url, key: `key-of-${name}`});
	const stop = async () => {
		child.kill('SIGTERM');
		await once(child, 'exit');
	};
	return {lake, file, put, child, as, stop, said: () => said};
}

const list = (address: Address) => call(address, '/v1/datasets/list').then(({status}) => status);

test('a key that is taken out of the file is refused without a restart, its stream ends, and a new one is let in', async () => {
	const service = await serve([key('ana'), key('ben')]);
	const [anas, bens] = await Promise.all([readEvents(service.as('ana')), readEvents(service.as('ben'))]);
	let isEnded = false;
	void bens.ended.then(() => {
		isEnded = true;
	});
	expect([await list(service.as('ana')), await list(service.as('cem'))]).toEqual([200, 401]);
	service.put([key('ben'), key('cem')]);
	await anas.ended;
	await expect.poll(() => list(service.as('cem')), patience).toBe(200);
	expect([await list(service.as('ana')), await list(service.as('ben')), isEnded]).toEqual([401, 200, false]);
	await expect.poll(service.said, patience).toContain(`${service.file} was read again: 2 keys.`);
	bens.close();
});

test('a keys file that is broken, open to others or gone is said to be, and the keys read last stay valid', async () => {
	const service = await serve([key('ana')]);
	const breaks: ReadonlyArray<readonly [() => void, string]> = [
		[() => service.put('{"keys": ['), 'it is not JSON'],
		[() => service.put([{...key('ana'), role: 'admin'}]), 'keys.0.role'],
		[() => chmodSync(service.file, 0o644), 'others may read it. Run: chmod 600'],
		[() => rmSync(service.file), 'there is no such file'],
	];
	for (const [damage, words] of breaks) {
		damage();
		await expect.poll(service.said, patience).toContain(words);
		expect(await list(service.as('ana'))).toBe(200);
	}
	expect(service.said()).toContain('The 1 key read from it before stay valid until it can be used.');
	service.put([key('ben')]);
	await expect.poll(() => list(service.as('ben')), patience).toBe(200);
	expect(await list(service.as('ana'))).toBe(401);
});

test('a key may do what its role says, and everything without one', async () => {
	const service = await serve([key('ana'), key('ron', 'read'), key('rex', 'review'), key('flo', 'full')]);
	const filter = {};
	const nothing = '0b7d1c60-3a4e-4f6b-9c1d-2e8f5a7b9c0d';
	const tries: ReadonlyArray<readonly [string, Call, readonly string[]]> = [
		['/v1/datasets/list', {}, ['ron', 'rex', 'flo', 'ana']],
		['/v1/datasets/explore', {body: filter}, ['ron', 'rex', 'flo', 'ana']],
		['/local/v1/explore', {body: filter}, ['ron', 'rex', 'flo', 'ana']],
		['/v1/finetune/hyperparams/validate?vla_type=act', {body: {}}, ['ron', 'rex', 'flo', 'ana']],
		['/local/v1/reviews', {body: {episode_ids: [nothing], review_state: 'rejected'}}, ['rex', 'flo', 'ana']],
		['/v1/finetune', {body: {}}, ['flo', 'ana']],
		['/v1/projects', {body: {name: 'x'}}, ['flo', 'ana']],
		['/local/v1/compose', {body: {}}, ['flo', 'ana']],
		['/v1/datasets/upload/prepare-batch', {body: {}}, ['flo', 'ana']],
		[`/local/v1/jobs/${nothing}/stop`, {method: 'POST', headers: {'content-length': '0'}}, ['flo', 'ana']],
		['/local/v1/%6Aobs/x/stop', {method: 'POST', headers: {'content-length': '0'}}, ['flo', 'ana']],
	];
	for (const [target, request, allowed] of tries) {
		const names = ['ron', 'rex', 'flo', 'ana'];
		const answers = await Promise.all(names.map(name => call(service.as(name), target, request)));
		const refused = answers.flatMap(({status}, i) => (status === 403 ? names[i] : []));
		expect([target, refused]).toEqual([target, names.filter(name => !allowed.includes(name))]);
	}
	const refused = await call(service.as('ron'), '/v1/projects', {body: {name: 'x'}});
	expect(refused.text).toContain(
		'has the role read: it may read, and nothing else. Ask the person who keeps the service',
	);
});

test('who did what is in the log by the key’s name, refusals are summed up, and no key is in either', async () => {
	const service = await serve([key('ana'), key('ron', 'read')]);
	const owner = await home.join(service.lake);
	await home.ingest(owner, 'cups');
	const {url} = service.as('ana');
	const projectId = await project(service.as('ana'));
	const jobId = await started(service.as('ana'), {project_id: projectId});
	const stop = `/local/v1/jobs/${jobId}/stop`;
	const noBody = {method: 'POST', headers: {'content-length': '0'}} as const;
	await call(service.as('ron'), stop, noBody);
	await call(service.as('ana'), stop, noBody);
	const {episodes} = (await call(service.as('ron'), '/v1/datasets/explore', {body: {}})).json<{
		episodes: Array<{episode_id: string}>;
	}>();
	const marked = episodes.slice(0, 2).map(({episode_id}) => episode_id);
	await call(service.as('ana'), '/local/v1/reviews', {body: {episode_ids: marked, review_state: 'rejected'}});
	for (let i = 0; i < 30; i++) await call({url, key: `guess-${i}`}, '/v1/datasets/list?key=secret-in-query');
	await call({url: owner.url, key: 'guess'}, '/v1/datasets/list');
	owner.leave();
	await service.stop();
	const [access, refused] = ['access.log', 'refused.log'].map(name => {
		const file = path.join(service.lake, name);
		expect(statSync(file).mode & 0o777).toBe(0o600);
		return readFileSync(file, 'utf8');
	}) as [string, string];
	const of = (text: string) =>
		text
			.trimEnd()
			.split('\n')
			.map(line => line.split(' ').slice(2).join(' '));
	const changes = of(access);
	// Whoever calls another address of the own machine comes from this one.
	const peer = '127.0.0.1';
	expect(changes).toContain(`"ana" ${peer} POST /v1/projects 200 project_id=${projectId}`);
	expect(changes).toContain(`"ana" ${peer} POST /v1/finetune 200 job_id=${jobId}`);
	expect(changes).toContainEqual(expect.stringMatching(`^"ana" ${peer} POST ${stop} (202|409)`));
	expect(changes).toContain(`"ana" ${peer} POST /local/v1/reviews 200 rejected 2 episodes of ["cups"]`);
	expect(changes).toContainEqual(expect.stringMatching(`^owner ${peer} POST /local/v1/ingests 202`));
	expect(changes).toContain(`"ron" ${peer} read once, last: POST /v1/datasets/explore`);
	const refusals = of(refused);
	expect(refusals.slice(0, 2)).toEqual([
		`${peer} as "ron" refused with 403: POST ${stop}`,
		`${peer} refused with 401: GET /v1/datasets/list`,
	]);
	const unknown = refusals.filter(line => line.startsWith(`${peer} refused with 401`));
	const counts = unknown.map(line => Number(/401 (\d+) times more/.exec(line)?.[1] ?? 1));
	expect(counts.reduce((sum, count) => sum + count, 0)).toBe(31);
	expect(counts.length).toBeLessThan(10);
	expect(access + refused).not.toMatch(/key-of|guess-|secret/);
});
