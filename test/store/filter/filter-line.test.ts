import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterAll, expect, test} from 'vitest';
import {fieldProblem} from '../../../source/contract/errors.ts';
import {parse} from '../../../source/query/parse.ts';
import {LineHistory, withLine} from '../../../source/store/filter/filter-line.ts';
import {hold, refused} from '../../hosted-service/faults.ts';
import {hosted} from '../../support/hosted.ts';
import {explorerOf, until} from '../support.ts';

const state = mkdtempSync(path.join(tmpdir(), 'lakescope-lines-'));
process.env.XDG_STATE_HOME = state;
// A line that was just applied may still be on its way to the disk.
afterAll(() => rmSync(state, {recursive: true, force: true, maxRetries: 20, retryDelay: 50}));

function filterOf(line: string) {
	const read = parse(line);
	if (!read.ok) throw new Error(read.problems[0].message);
	return read.filter;
}

const isFiltered = ({body}: {body: unknown}) => typeof body === 'object' && body !== null && 'tiers' in body;

const isSearch = ({body}: {body: unknown}) => (body as {search?: string} | undefined)?.search === 'elsewhere';

test('what is counted is read: applied, the filter shows without another request', async () => {
	const service = await hosted({episodes: 500});
	const explorer = explorerOf(service);
	await until(explorer.window.result, ({rowCount}) => rowCount === 500);
	explorer.filterLine.typed('tier:none', 9, true);
	const counted = await until(explorer.filterLine.count.known, ({state: now}) => now === 'counted');
	explorer.filterLine.apply(filterOf('tier:none'), () => undefined);
	const {rowCount} = explorer.window.result.getState();
	expect(counted).toMatchObject({total: rowCount});
	expect(service.requests.filter(isFiltered)).toHaveLength(1);
});

test('a count that is superseded is given up, and applying one that is on its way asks no second time', async () => {
	const service = await hosted({episodes: 500});
	const explorer = explorerOf(service);
	await until(explorer.window.result, ({rowCount}) => rowCount === 500);
	const held = hold();
	service.setFault('POST /v1/datasets/explore', held.fault);
	explorer.filterLine.typed('tier:none', 9, true);
	await expect.poll(() => service.requests.filter(isFiltered).length).toBe(1);
	explorer.filterLine.typed('tier:retrainable', 16, true);
	expect(explorer.filterLine.count.known.getState().state).toBe('counting');
	await expect.poll(() => service.requests.filter(isFiltered).length).toBe(2);
	explorer.filterLine.apply(filterOf('tier:retrainable'), () => explorer.filterLine.close());
	held.release();
	await until(explorer.window.result, ({isPrevious, rowCount}) => !isPrevious && rowCount > 0);
	expect(explorer.window.result.getState().question).toEqual({tiers: ['retrainable']});
	expect(
		service.requests.filter(isFiltered).filter(({body}) => (body as {offset: number}).offset === 0),
	).toHaveLength(2);
});

test('a line that cannot be read asks nothing, and one that is refused says for which part', async () => {
	const service = await hosted({episodes: 20});
	const explorer = explorerOf(service);
	await until(explorer.window.result, ({rowCount}) => rowCount === 20);
	const asked = service.requests.length;
	explorer.filterLine.typed('tier:nothing', 12, true);
	expect(explorer.filterLine.count.known.getState()).toEqual({state: 'none'});
	const issue = {loc: ['body', 'tiers', 0], msg: 'no such tier', type: 'enum'};
	service.setFault('POST /v1/datasets/explore', refused(422, [issue]));
	explorer.filterLine.typed('tier:none', 9, true);
	const counted = await until(explorer.filterLine.count.known, ({state: now}) => now === 'refused');
	expect(counted).toMatchObject({problems: [fieldProblem(issue)]});
	expect(service.requests.slice(asked).filter(isFiltered)).toHaveLength(1);
	explorer.filterBy(filterOf('tier:none'));
	const {freshness} = await until(explorer.window.result, ({refused: parts}) => parts.length > 0);
	expect(freshness).toMatchObject({isTriedAgain: false});
});

test('an unknown dataset is said, and what is typed meanwhile takes its place', async () => {
	const service = await hosted({episodes: 300});
	const explorer = explorerOf(service);
	await until(explorer.window.result, ({rowCount}) => rowCount === 300);
	let isApplied = false;
	explorer.filterLine.apply(filterOf('dataset:nowhere'), () => {
		isApplied = true;
	});
	const counted = await until(explorer.filterLine.count.known, ({state: now}) => now === 'unknown-datasets');
	expect(counted).toMatchObject({names: ['nowhere']});
	expect([isApplied, explorer.state.getState().filter.datasets]).toEqual([false, []]);
	expect(explorer.filterLine.datasets.length).toBeGreaterThan(1);
	const held = hold();
	service.setFault('POST /v1/datasets/explore', held.fault);
	explorer.filterLine.apply(filterOf('dataset:elsewhere'), () => {
		isApplied = true;
	});
	await expect.poll(() => service.requests.some(isSearch)).toBe(true);
	explorer.filterLine.keepTyping();
	held.release();
	explorer.filterLine.typed('', 0, true);
	expect(explorer.filterLine.count.known.getState()).toEqual({state: 'none'});
	expect(isApplied).toBe(false);
});

test('lines are remembered newest first, each once, from run to run, and not without bound', async () => {
	expect(withLine(['a', 'b'], ' b ')).toEqual(['b', 'a']);
	expect(withLine(['a'], '  ')).toEqual(['a']);
	expect(withLine(['a'], 'x'.repeat(5000))).toEqual(['a']);
	const many = Array.from({length: 300}, (_, place) => `line ${place}`).reduce(
		withLine,
		[] as readonly string[],
	);
	expect([many.length, many[0]]).toEqual([200, 'line 299']);

	// The other tests apply filters too.
	process.env.XDG_STATE_HOME = path.join(state, 'alone');
	const first = new LineHistory();
	first.add('tier:none');
	first.add('towel');
	await first.kept();
	const second = new LineHistory();
	second.add('wipe');
	second.add('tier:none');
	await second.kept();
	const third = new LineHistory();
	third.add('own');
	await third.recall();
	const lines = third.lines.getState();
	expect(lines.slice(0, 2)).toEqual(['own', 'tier:none']);
	expect([...lines].sort()).toEqual(['own', 'tier:none', 'towel', 'wipe']);

	// Who asks before they are read gets them all the same, and from then on at once.
	const fourth = new LineHistory();
	const early = await new Promise<readonly string[]>(resolve => fourth.withRecalled(resolve));
	expect([...early].sort()).toEqual(['tier:none', 'towel', 'wipe']);
	let now: readonly string[] = [];
	fourth.withRecalled(kept => {
		now = kept;
	});
	expect(now).toEqual(early);
});
