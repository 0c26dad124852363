import {expect, test} from 'vitest';
import type {LakeEpisode} from '../../../source/contract/episode.ts';
import type {Explorer} from '../../../source/store/explorer.ts';
import {conjunction} from '../../../source/store/selection/holding.ts';
import {moved} from '../../../source/store/state/transitions.ts';
import {hosted} from '../../support/hosted.ts';
import {explorerOf, filterOf, until} from '../support.ts';

const over = {field: 'duration_s', op: 'gt', value: 3} as const;
const below = {field: 'duration_s', op: 'lt', value: 9} as const;

test.each([
	['lists of which one value is enough', {tasks: ['a', 'b']}, {tasks: ['b', 'c']}, {tasks: ['b']}],
	['lists that have nothing in common', {tasks: ['a']}, {tasks: ['b']}, 'nothing'],
	['tags, all of which are wanted', {tags: ['a']}, {tags: ['b', 'a']}, {tags: ['a', 'b']}],
	[
		'comparisons',
		{numeric_predicates: [over]},
		{numeric_predicates: [over, below]},
		{numeric_predicates: [over, below]},
	],
	[
		'what only one asks for',
		{lineage: 'originals'},
		{search: '', tags: []},
		{lineage: 'originals', search: '', tags: []},
	],
	['words that differ', {review_state: 'rejected'}, {review_state: 'unreviewed'}, 'nothing'],
	['a text within the other', {search: 'fold the towel'}, {search: 'Towel'}, {search: 'fold the towel'}],
	['two texts, which no service searches for at once', {search: 'towel'}, {search: 'cup'}, undefined],
	[
		'values left out',
		{not: {tags: ['a']}},
		{not: {tags: ['b'], tasks: ['c']}},
		{not: {tags: ['a', 'b'], tasks: ['c']}},
	],
	['the order, which hides nothing', {order_desc: true}, {order_desc: false}, {}],
] as const)('what two questions have in common: %s', (_what, a, b, both) => {
	const asked = [a, b].map(question => structuredClone(question) as Parameters<typeof conjunction>[0]);
	const found = conjunction(asked[0] ?? {}, asked[1] ?? {});
	if (typeof both === 'object') expect(found).toMatchObject(both);
	else expect(found).toBe(both);
});

const hiddenIs = (explorer: Explorer, count: number) =>
	until(explorer.selection.summary, ({hidden}) => typeof hidden === 'object' && hidden.count === count);

async function filtered(explorer: Explorer, line: string): Promise<number> {
	explorer.filterBy(filterOf(line));
	const {totals} = await until(explorer.window.result, ({isPrevious}) => !isPrevious);
	return Number(totals?.episodes);
}

test('what another filter hides of all that matched one is counted, less what was taken out', async () => {
	const service = await hosted({episodes: 1500});
	const explorer = explorerOf(service, {filter: filterOf('tier:retrainable')});
	const {totals, row} = await until(explorer.window.result, known => known.totals !== undefined);
	const all = Number(totals?.episodes);
	explorer.selection.toggleAll();
	await explorer.selection.toggle();
	await hiddenIs(explorer, 0);
	const out = row(0) as LakeEpisode;
	const left = await filtered(explorer, 'tier:retrainable quality_score>=0.7');
	const isOutShown = (out.quality_score ?? 0) >= 0.7;
	await hiddenIs(explorer, all - 1 - (left - (isOutShown ? 1 : 0)));
	await filtered(explorer, 'tier:analyze_only');
	await hiddenIs(explorer, all - 1);
	await filtered(explorer, '');
	await hiddenIs(explorer, 0);
});

test('what another filter hides of what was picked one by one is named by its datasets', async () => {
	const service = await hosted({episodes: 1500});
	const explorer = explorerOf(service);
	await until(explorer.window.result, ({totals}) => totals !== undefined);
	for (const row of [0, 1, 2]) {
		explorer.update(moved(() => ({selected: row, offset: 0})));
		await explorer.selection.toggle();
	}
	const {row} = explorer.window.result.getState();
	const [first] = [0, 1, 2].map(at => row(at) as LakeEpisode);
	await filtered(explorer, `dataset:${first?.dataset_name} index:${first?.episode_index}`);
	const {hidden} = await hiddenIs(explorer, 2);
	expect(typeof hidden === 'object' && hidden.datasets.reduce((sum, [, size]) => sum + size, 0)).toBe(2);
	const {episodes, suspects} = await explorer.selection.holding(new AbortController().signal);
	expect([episodes, suspects]).toEqual([3, 0]);
});
