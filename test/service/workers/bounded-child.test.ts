import path from 'node:path';
import {afterEach, describe, expect, test} from 'vitest';
import {
	type BoundedChild,
	type ChildBounds,
	type ChildEnd,
	reasonForEnd,
	runBounded,
} from '../../../source/service/workers/bounded-child.ts';
import {residentBytes, startOfProcess} from '../../../source/service/workers/process-facts.ts';

const entry = path.resolve(import.meta.dirname, '../support/scripted-child.ts');
const wide: ChildBounds = {memoryBytes: 1024 ** 3, stallMs: 60_000};
const controllers = new Set<AbortController>();

afterEach(() => {
	for (const controller of controllers) controller.abort();
	controllers.clear();
});

async function run(args: string[], {bounds = wide, input = ''}: {bounds?: ChildBounds; input?: string} = {}) {
	const controller = new AbortController();
	controllers.add(controller);
	let output = '';
	const child: BoundedChild = await runBounded({
		entry,
		args,
		input,
		bounds,
		signal: controller.signal,
		onOutput: chunk => {
			output += chunk;
		},
	});
	return {child, controller, output: () => output};
}

test('a child is given its input, and all of its output comes before its end', async () => {
	const input = 'line of some length\n'.repeat(20_000);
	const {child, output} = await run(['echo'], {input});
	expect(await child.end).toMatchObject({code: 0, signal: null, ended: undefined, lastWords: ''});
	expect(output()).toBe(input);
});

test('how a child ended by itself is told', async () => {
	const failed = await run(['say', 'out', 'it broke', '3']);
	expect(await failed.child.end).toMatchObject({
		code: 3,
		signal: null,
		ended: undefined,
		lastWords: 'it broke',
	});
	const crashed = await run(['die', 'SIGSEGV']);
	expect(await crashed.child.end).toMatchObject({signal: 'SIGSEGV', ended: undefined});
});

test('a child that takes too much memory is ended', async () => {
	const {child} = await run(['grow'], {bounds: {...wide, memoryBytes: 200 * 1024 * 1024}});
	expect(await child.end).toMatchObject({signal: 'SIGKILL', ended: 'memory'});
});

test('a child that says nothing for too long is ended, one that speaks is not', async () => {
	const bounds = {...wide, stallMs: 8000};
	const talking = await run(['chatter'], {bounds});
	const silent = await run(['wait'], {bounds});
	expect(await silent.child.end).toMatchObject({signal: 'SIGKILL', ended: 'stalled'});
	expect(await startOfProcess(talking.child.pid)).not.toBe('');
});

test('a child is ended with all that it started', async () => {
	const {child, controller, output} = await run(['parent']);
	await expect.poll(output, {timeout: 10_000}).toMatch(/^\d+\n$/);
	const grandchild = Number(output());
	expect(await residentBytes(grandchild)).toBeGreaterThan(0);
	controller.abort();
	expect(await child.end).toMatchObject({ended: 'stopped'});
	await expect.poll(() => residentBytes(grandchild)).toBe(0);
});

test('the key of the service is not handed on', async () => {
	process.env.LAKESCOPE_API_KEY = 'secret';
	try {
		const {child} = await run(['wait']);
		const {readFile} = await import('node:fs/promises');
		expect(await readFile(`/proc/${child.pid}/environ`, 'utf8')).not.toContain('LAKESCOPE_API_KEY');
	} finally {
		delete process.env.LAKESCOPE_API_KEY;
	}
});

describe('a child that ended without a reason of its own is explained', () => {
	const bounds: ChildBounds = {memoryBytes: 200 * 1024 * 1024, stallMs: 1000};
	const plain: ChildEnd = {code: null, signal: null, ended: undefined, outOfMemory: false, lastWords: ''};
	const killed: ChildEnd = {...plain, signal: 'SIGKILL'};
	const heap = 'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory';

	test.each<[string, ChildEnd, string]>([
		['too much memory', {...killed, ended: 'memory'}, 'Reading /a took more than 200 MiB of memory'],
		['no progress', {...killed, ended: 'stalled'}, 'Reading /a made no progress for 1 s and was ended.'],
		['the machine’s memory', {...killed, outOfMemory: true}, 'because the machine ran out of memory.'],
		['a kill from outside', killed, 'was killed (SIGKILL) by something other than lakescope'],
		[
			'a full heap',
			{...plain, signal: 'SIGABRT', lastWords: heap},
			'Raise it with LAKESCOPE_INGEST_MEMORY_MIB',
		],
		['a crash', {...plain, signal: 'SIGSEGV'}, 'The process that read /a crashed (SIGSEGV)'],
		['an exit code', {...plain, code: 3}, 'The process that read /a ended with exit code 3'],
	])('%s', (_, end, sentence) => {
		expect(reasonForEnd(end, bounds, 'Reading /a', 'read /a')).toContain(sentence);
	});

	test('a real child’s', async () => {
		const crashed = await run(['die', 'SIGSEGV']);
		const end = await crashed.child.end;
		expect(reasonForEnd(end, wide, 'Trimming /b', 'trimmed /b')).toMatch(
			/^The process that trimmed \/b crashed \(SIGSEGV\): .* service\.log\.$/,
		);
	});
});
