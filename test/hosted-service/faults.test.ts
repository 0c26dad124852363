import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {
	changed,
	delay,
	empty,
	type Fault,
	gzip,
	hold,
	html,
	inOrder,
	redirect,
	refused,
	reset,
	silence,
	truncated,
} from './faults.ts';
import {type HostedService, startHostedService} from './server.ts';

let service: HostedService;

beforeEach(async () => {
	service = await startHostedService({episodes: 3});
});

afterEach(() => service.close());

const explore = (init: RequestInit = {}): Promise<Response> =>
	fetch(`${service.url}/v1/datasets/explore?account_id=${service.account}`, {
		method: 'POST',
		headers: {'x-api-key': service.key},
		body: '{}',
		redirect: 'manual',
		...init,
	});

const exploreWith = (fault: Fault, init?: RequestInit): Promise<Response> => {
	service.setFault('POST /v1/datasets/explore', fault);
	return explore(init);
};

test('an answer of another kind comes with its status and type', async () => {
	const page = await exploreWith(html(502));
	expect([page.status, page.headers.get('content-type')]).toEqual([502, 'text/html']);
	expect(await (await exploreWith(empty())).text()).toBe('');
	const busy = await exploreWith(refused(429, 'Slow down', 3));
	expect([busy.status, busy.headers.get('retry-after')]).toEqual([429, '3']);
	expect(await busy.json()).toEqual({detail: 'Slow down'});
	const away = await exploreWith(redirect('http://elsewhere.example'));
	expect([away.status, away.headers.get('location')]).toEqual([
		307,
		`http://elsewhere.example/v1/datasets/explore?account_id=${service.account}`,
	]);
});

test('the true answer may come late, changed or compressed', async () => {
	expect(await (await exploreWith(delay(5))).json()).toMatchObject({total: 3});
	const wrong = await exploreWith(changed(body => ({...(body as object), total: 'three'})));
	expect(await wrong.json()).toMatchObject({total: 'three', page_limit: 50});
	const packed = await exploreWith(gzip({padding: 1_000_000}));
	expect(Number(packed.headers.get('content-length'))).toBeLessThan(10_000);
	const text = await packed.text();
	expect(text.length).toBeGreaterThan(1_000_000);
	expect(JSON.parse(text)).toMatchObject({total: 3});
});

test('a broken connection and a cut body fail the reader, a cut body of honest length the parser', async () => {
	await expect(exploreWith(reset)).rejects.toThrow();
	const cut = await exploreWith(truncated());
	await expect(cut.text()).rejects.toThrow();
	const whole = await exploreWith(truncated({whole: true}));
	await expect(whole.json()).rejects.toThrow(SyntaxError);
});

test('silence lasts until the caller gives up, a hold until it is released', async () => {
	const abort = new AbortController();
	const unanswered = exploreWith(silence, {signal: abort.signal});
	await vi.waitFor(() => expect(service.requests).toHaveLength(1), {timeout: 20_000});
	abort.abort();
	await expect(unanswered).rejects.toThrow('aborted');

	const gate = hold();
	const held = exploreWith(gate.fault);
	await vi.waitFor(() => expect(gate.waiting()).toBe(1), {timeout: 20_000});
	gate.release();
	expect((await held).status).toBe(200);
});

test('faults in order are met once each, then the truth', async () => {
	service.setFault('*', inOrder(refused(503), html()));
	const answers = [await explore(), await explore(), await explore()];
	expect(answers.map(({status, headers}) => [status, headers.get('content-type')])).toEqual([
		[503, 'application/json'],
		[200, 'text/html'],
		[200, 'application/json'],
	]);
	service.setFault('*');
	expect((await explore()).status).toBe(200);
});
