import {
	chmodSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {print} from '../../../source/query/print.ts';
import {columnsChosen} from '../../../source/store/episodes/table-columns.ts';
import type {Explorer} from '../../../source/store/explorer.ts';
import {filterOfDefinition} from '../../../source/store/saved-views/read-definition.ts';
import {hosted} from '../../support/hosted.ts';
import {explorerOf, filterOf, until} from '../support.ts';

let data: string;
const folder = () => path.join(data, 'lakescope', 'views');

beforeEach(() => {
	data = mkdtempSync(path.join(tmpdir(), 'lakescope-views-'));
	vi.stubEnv('XDG_DATA_HOME', data);
});

afterEach(() => {
	vi.unstubAllEnvs();
	chmodSync(data, 0o700);
	rmSync(data, {recursive: true, force: true});
});

const namesOf = ({savedViews}: Explorer) => savedViews.known.getState().views.map(({name}) => name);

test('a view brings filter, columns and order back', async () => {
	const explorer = explorerOf(await hosted({episodes: 200}), {filter: filterOf('towel order:desc')});
	explorer.update(columnsChosen(['dataset', 'sparc']));
	expect(await explorer.savedViews.save(' towels ')).toBe(true);
	explorer.filterBy(filterOf('tier:retrainable'));
	explorer.update(columnsChosen(['index']));
	const view = explorer.savedViews.named('Towels');
	expect(view && explorer.savedViews.open(view)).toBe(true);
	const {filter, columns} = explorer.state.getState();
	expect({line: print(filter), columns}).toEqual({line: 'order:desc towel', columns: ['dataset', 'sparc']});
	explorer.places.back();
	expect(print(explorer.state.getState().filter)).toBe('tier:retrainable');
});

test('explorers that save at once keep each other’s; a later version’s parts stay through a rename', async () => {
	const service = await hosted({episodes: 20});
	const [one, two] = [explorerOf(service), explorerOf(service)];
	await Promise.all([one.savedViews.save('first'), two.savedViews.save('second')]);
	await one.savedViews.read();
	expect(namesOf(one)).toEqual(['first', 'second']);
	for (const file of readdirSync(folder())) {
		expect(statSync(path.join(folder(), file)).mode & 0o777).toBe(0o600);
	}
	const first = one.savedViews.named('first');
	const file = path.join(folder(), `${first?.id}.json`);
	writeFileSync(file, JSON.stringify({...JSON.parse(readFileSync(file, 'utf8')), shared_with: ['ana']}));
	await one.savedViews.read();
	const read = one.savedViews.named('first');
	if (read !== undefined) await one.savedViews.rename(read, 'third');
	expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({name: 'third', shared_with: ['ana']});
	const second = one.savedViews.named('second');
	if (second !== undefined) await one.savedViews.remove(second);
	await two.savedViews.read();
	expect(namesOf(two)).toEqual(['third']);
});

test('a broken file is said and costs no other', async () => {
	const explorer = explorerOf(await hosted({episodes: 20}));
	await explorer.savedViews.save('good');
	writeFileSync(path.join(folder(), '0123456789abcdef.json'), '{"name": 7}');
	await explorer.savedViews.read();
	expect(namesOf(explorer)).toEqual(['good']);
	expect(explorer.state.getState().notices.at(-1)?.text).toContain(
		'0123456789abcdef.json is not a saved view',
	);
});

test('a folder that cannot be written is said', async () => {
	const explorer = explorerOf(await hosted({episodes: 20}));
	mkdirSync(path.join(data, 'lakescope'), {recursive: true});
	writeFileSync(folder(), 'in the way');
	expect(await explorer.savedViews.save('lost')).toBe(false);
	expect(explorer.state.getState().notices.at(-1)).toMatchObject({kind: 'error'});
});

const request = {
	tiers: ['retrainable'],
	numeric_predicates: [{field: 'quality_score', op: 'gte', value: 0.8}],
};

test('a definition of the service is a filter where a part of it is a request, and nothing is made up', () => {
	const lineOf = (body: unknown) => {
		const filter = filterOfDefinition(body);
		return filter && print(filter);
	};
	const line = 'tier:retrainable quality_score>=0.8';
	expect(lineOf(request)).toBe(line);
	expect(lineOf({def_id: 'x', name: 'good', filter: request})).toBe(line);
	expect(lineOf({data: {definition: {explore: request}}})).toBe(line);
	expect(lineOf({filter: {...request, operator: 'ana'}})).toBeUndefined();
	expect(lineOf({filter: request, exclude: {tasks: ['wipe']}})).toBeUndefined();
	expect(lineOf({episode_ids: ['a', 'b']})).toBeUndefined();
	expect(lineOf('tier:retrainable')).toBeUndefined();
	expect(lineOf({filter: {}})).toBeUndefined();
});

test('a definition is opened as a filter, or handed back as it came', async () => {
	const service = await hosted({episodes: 300});
	const explorer = explorerOf(service);
	vi.spyOn(explorer.client, 'definition')
		.mockResolvedValueOnce({data: {name: 'good', filter: request}, setAside: []})
		.mockResolvedValueOnce({data: {rows: [1, 2]}, setAside: []});
	expect(await explorer.savedViews.openDefinition('a')).toBeUndefined();
	await until(explorer.window.result, ({isPrevious}) => !isPrevious);
	expect(print(explorer.state.getState().filter)).toBe('tier:retrainable quality_score>=0.8');
	expect(await explorer.savedViews.openDefinition('b')).toEqual({body: {rows: [1, 2]}});
});
