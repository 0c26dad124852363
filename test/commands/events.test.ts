import {afterEach, beforeEach, expect, test} from 'vitest';
import {empty, html, refused} from '../hosted-service/faults.ts';
import {type HostedService, startHostedService} from '../hosted-service/server.ts';
import {processesOver} from '../service/support/service-home.ts';
import {smallDataset} from '../service/support/small-dataset.ts';
import {startFaultProxy} from '../support/fault-proxy.ts';
import {type Environment, ended, programHome} from './support/program.ts';

const home = programHome();
let service: HostedService;
let hosted: Environment;

beforeEach(async () => {
	service = await startHostedService({episodes: 10});
	hosted = {LAKESCOPE_URL: service.url, LAKESCOPE_API_KEY: service.key};
});

afterEach(() => service.close());

const lines = (text: string) => text.trimEnd().split('\n');

function listen(args: readonly string[], env: Environment = hosted) {
	const child = home.start(['events', ...args], env);
	const heard = {stdout: '', stderr: ''};
	for (const name of ['stdout', 'stderr'] as const) {
		child[name]?.setEncoding('utf8').on('data', chunk => {
			heard[name] += chunk;
		});
	}
	const says = (name: 'stdout' | 'stderr', text: string | RegExp) =>
		expect.poll(() => heard[name], {timeout: 15_000, interval: 20}).toMatch(text);
	const end = ended(child);
	// Of a reader that goes away itself.
	end.catch(() => undefined);
	return {child, end, heard, says};
}

test('events are printed as they come, and ^C ends with 130', async () => {
	const {child, end, heard, says} = listen([]);
	await says('stderr', `Listening to ${service.url}; ^C ends it.\n`);
	service.state.events.publish({event: 'job.moved', data: {job_id: 'x', n: 1}});
	service.state.events.publish({data: 'two\nlines \u001b[31mred'});
	await says('stdout', 'red');
	child.kill('SIGINT');
	expect((await end).code).toBe(130);
	const [first, second] = lines(heard.stdout);
	expect(first).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}job\.moved {2}\{"job_id":"x","n":1\}$/);
	expect(second).toContain('message  two↵lines ');
	expect(heard.stdout).not.toContain('\u001b');
	expect(heard.stderr).toBe(`Listening to ${service.url}; ^C ends it.\n`);
});

test('--json prints one line an event, what is no JSON as text', async () => {
	const {child, end, heard, says} = listen(['--json']);
	await says('stderr', 'Listening');
	service.state.events.publish({event: 'a', id: '7', data: `{"n": ${2n ** 60n}}`});
	service.state.events.publish({data: 'plain'});
	await says('stdout', 'plain');
	child.kill('SIGINT');
	await end;
	const [first = '', second = ''] = lines(heard.stdout);
	expect(JSON.parse(first)).toMatchObject({id: '7', name: 'a', received_at: expect.stringMatching(/Z$/)});
	expect(first).toContain(`"n":${2n ** 60n}`);
	expect(JSON.parse(second)).toMatchObject({id: null, name: 'message', data: 'plain'});
});

test('after a cut it comes back by itself and says that events may have been missed', async () => {
	const proxy = await startFaultProxy(service.url);
	const {child, end, heard, says} = listen([], {...hosted, LAKESCOPE_URL: proxy.url});
	await says('stderr', 'Listening');
	service.state.events.publish({data: 'before'});
	await says('stdout', 'before');
	proxy.cutAll();
	await says('stderr', 'Events may have been missed here.');
	service.state.events.publish({data: 'after'});
	await says('stdout', 'after');
	child.kill('SIGINT');
	expect((await end).code).toBe(130);
	expect(heard.stderr).toContain('closed the connection');
	await proxy.close();
});

test('a reader that goes away ends it quietly', async () => {
	const {child, heard, says} = listen([]);
	await says('stderr', 'Listening');
	service.state.events.publish({data: 'first'});
	await says('stdout', 'first');
	child.stdout?.destroy();
	// The write that notices is that of the next event.
	const timer = setInterval(() => service.state.events.publish({data: 'next'}), 20);
	const code = await new Promise(resolve => child.once('exit', resolve));
	clearInterval(timer);
	expect(code).toBe(0);
	expect(lines(heard.stderr)).toEqual([expect.stringContaining('Listening')]);
});

test.each([
	['a refused key', refused(401, 'Invalid API key'), 4, 'refused the key'],
	['nothing to give', empty(204), 1, 'has no events (204)'],
	['no such thing', refused(404, 'Not Found'), 1, 'with 404: Not Found'],
	['a page for people', html(), 5, 'expected text/event-stream, found text/html'],
	['an outage', refused(503, 'Down'), 1, 'with 503: Down'],
])('%s at the first try ends the command in words', async (_, fault, code, words) => {
	service.setFault('*', fault);
	const end = await home.run(['events'], hosted);
	expect(end).toMatchObject({code, stdout: ''});
	expect(end.stderr).toContain(words);
	expect(lines(end.stderr)).toHaveLength(1);
});

test('nobody there ends with 3', async () => {
	const end = await home.run(['events'], {...hosted, LAKESCOPE_URL: 'http://127.0.0.1:9'});
	expect(end).toMatchObject({code: 3, stdout: ''});
});

test('the embedded service tells of an ingest', async () => {
	const lake = home.at('lake');
	const {child, end, heard, says} = listen(['--json', '--lake', lake], {});
	await says('stdout', '"ready"');
	const folder = await smallDataset(home.at('push'));
	await home.run(['ingest', '--lake', lake, folder]);
	await says('stdout', 'finalized');
	child.kill('SIGINT');
	expect((await end).code).toBe(130);
	const events = lines(heard.stdout).map(line => JSON.parse(line));
	const phases = events.filter(({name}) => name === 'ingest.phase').map(({data}) => data.phase);
	expect(phases.at(-1)).toBe('finalized');
	expect(events.every(({id}) => /^\d+$/.test(id))).toBe(true);
});

test('an embedded service that dies is started again, and what may have been missed is said', async () => {
	const lake = home.at('lake-killed');
	const {child, end, heard, says} = listen([], {LAKESCOPE_LAKE: lake});
	await says('stdout', 'ready');
	const services = processesOver(lake);
	expect(services).toHaveLength(1);
	for (const pid of services) process.kill(pid, 'SIGKILL');
	await says('stderr', 'The embedded service stopped; another one continues.');
	await says('stderr', /Listening[\s\S]*Listening[\s\S]*missed here/);
	child.kill('SIGINT');
	expect((await end).code).toBe(130);
	expect(heard.stderr.match(/service stopped/g)).toHaveLength(1);
});
