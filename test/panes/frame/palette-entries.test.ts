import {expect, test} from 'vitest';
import type {ActiveBinding} from '../../../source/input/active-bindings.ts';
import {emptyWords, paletteEntries} from '../../../source/panes/frame/palette-entries.ts';

const id = '0190c3a1-7b1e-7c3d-9a55-2f1f0f5e7a10';

const command = (action: string, description: string, keys: string[][]): ActiveBinding => ({
	layer: 'x',
	level: 'pane',
	action,
	description,
	hint: description,
	category: 'Episodes',
	footer: undefined,
	isKept: false,
	together: undefined,
	keys,
});

const known = {
	commands: [
		command('episodes.open', 'open', [['enter']]),
		command('explore.order', 'order', [['o']]),
		command('app.palette', 'command', [[':']]),
		command('episodes.open', 'open', [['enter']]),
	],
	things: [
		{kind: 'dataset' as const, id, name: 'acme/so101-fold'},
		{kind: 'model' as const, id: id.replace('0190', '0191'), name: 'acme/act-fold'},
	],
	datasets: ['so101-fold', 'aloha-cups'],
	unicode: true,
};

const texts = (query: string) => paletteEntries(query, known).map(({text}) => text);

test('with nothing typed every action is listed once, with its key, and the palette itself is not', () => {
	expect(paletteEntries('', known)).toMatchObject([
		{text: 'open', keys: 'enter'},
		{text: 'order', keys: 'o'},
	]);
});

test('letters in their order find actions and things', () => {
	expect(texts('ordr')).toEqual(['order']);
	expect(texts('fold')).toEqual(expect.arrayContaining(['acme/so101-fold', 'acme/act-fold']));
	expect(texts('zzz')).toEqual([]);
});

test('a match in a name comes before a match in its category', () => {
	const uploads = {
		...known,
		commands: [
			...known.commands,
			command('uploads.last', 'last upload', [['G']]),
			command('view.uploads', 'uploads', [['2']]),
		],
		things: [{kind: 'upload' as const, id, name: 'g1-open-drawer'}],
	};
	expect(paletteEntries('Upl', uploads).map(({text}) => text)).toEqual([
		'uploads',
		'last upload',
		'g1-open-drawer',
	]);
});

test('a link is gone to; an id that is known as what it is, another as anything', () => {
	expect(paletteEntries(`job:${id}`, known)[0]?.effect).toEqual({kind: 'go', link: {kind: 'job', id}});
	expect(paletteEntries(id, known).map(({of}) => of)).toEqual(['dataset']);
	const other = id.replace('0190', '0199');
	expect(paletteEntries(other, known).map(({of}) => of)).toEqual([
		'dataset',
		'model',
		'project',
		'job',
		'upload',
		'episode',
	]);
});

test('follow and an id follows an operation or a job', () => {
	expect(paletteEntries(`follow ${id}`, known).map(({effect}) => effect)).toEqual([
		{kind: 'follow', list: 'uploads', id},
		{kind: 'follow', list: 'jobs', id},
	]);
	expect(paletteEntries(`follow job:${id}`, known).map(({effect}) => effect)).toEqual([
		{kind: 'follow', list: 'jobs', id},
	]);
	expect(paletteEntries('follow nonsense', known).filter(({effect}) => effect.kind === 'follow')).toEqual([]);
});

test('follow without an id shows what an id looks like', () => {
	for (const query of ['follow', 'Follow ', 'follow nonsense', ' follow 12']) {
		expect(emptyWords(query)).toEqual([
			'follow ID follows an operation or job; an id looks like',
			'0190c3a1-7b1e-7c3d-9a55-2f1f0f5e7a10',
		]);
	}
	expect(emptyWords('follower')).toEqual(['No match.']);
});

test('a dataset and a number is an episode', () => {
	expect(paletteEntries('so101-fold 37', known)[0]).toMatchObject({
		text: 'go to so101-fold · 37',
		effect: {kind: 'go', link: {kind: 'episode', id: 'so101-fold/37'}},
	});
});
