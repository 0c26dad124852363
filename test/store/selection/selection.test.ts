import {expect, test} from 'vitest';
import type {LakeEpisode} from '../../../source/contract/episode.ts';
import type {Explorer} from '../../../source/store/explorer.ts';
import {isNothing, markOf} from '../../../source/store/selection/selection.ts';
import {moved} from '../../../source/store/state/transitions.ts';
import {hosted} from '../../support/hosted.ts';
import {explorerOf, filterOf, until} from '../support.ts';

const toRow = (explorer: Explorer, row: number) =>
	explorer.update(moved(() => ({selected: row, offset: Math.max(0, row - 5)})));

const selected = (explorer: Explorer) => explorer.state.getState().selection;

const summaryIs = (explorer: Explorer, episodes: number) =>
	until(explorer.selection.summary, ({summary}) => Number(summary?.episodes) === episodes);

async function read(explorer: Explorer): Promise<readonly LakeEpisode[]> {
	const episodes: LakeEpisode[] = [];
	for await (const page of explorer.selection.pages(new AbortController().signal)) episodes.push(...page);
	return episodes;
}

async function opened(count: number, line = '') {
	const service = await hosted({episodes: count});
	const explorer = explorerOf(service, {filter: filterOf(line)});
	await until(explorer.window.result, ({totals}) => totals !== undefined);
	return {service, explorer};
}

test('what is picked by hand stays over pages, a refresh and another filter', async () => {
	const {explorer} = await opened(1200);
	const {result} = explorer.window;
	await explorer.selection.toggle();
	toRow(explorer, 900);
	explorer.window.show(890, 910);
	await until(result, ({row}) => typeof row(900) === 'object');
	await explorer.selection.toggle();
	const picked = [0, 900].map(row => result.getState().row(row) as LakeEpisode);
	explorer.refetch();
	explorer.filterBy(filterOf('tier:analyze_only'));
	await until(result, ({isPrevious, rowCount}) => !isPrevious && rowCount < 1200);
	expect((await read(explorer)).map(({episode_id}) => episode_id)).toEqual(
		picked.map(({episode_id}) => episode_id),
	);
	const {summary, datasets} = await summaryIs(explorer, 2);
	expect(summary?.seconds).toBeCloseTo(picked.reduce((sum, each) => sum + each.duration_seconds, 0));
	expect(datasets?.count).toBe(new Set(picked.map(({dataset_id}) => dataset_id)).size);
});

test('a range is taken over pages that were not read, and taken out again', async () => {
	const {explorer} = await opened(1200);
	toRow(explorer, 20);
	explorer.selection.startRange();
	toRow(explorer, 1019);
	await explorer.selection.takeRange();
	await summaryIs(explorer, 1000);
	expect(explorer.state.getState().range).toBeUndefined();
	expect(await read(explorer)).toHaveLength(1000);
	explorer.selection.startRange();
	toRow(explorer, 520);
	await explorer.selection.takeRange();
	await summaryIs(explorer, 500);
});

test('another filter leaves the range', async () => {
	const {explorer} = await opened(100);
	explorer.selection.startRange();
	explorer.filterBy(filterOf('towel'));
	await until(explorer.window.result, ({isPrevious}) => !isPrevious);
	expect(explorer.state.getState().range).toBeUndefined();
});

test('all that match: exact by the service’s figures, less what is taken out', async () => {
	const {explorer} = await opened(3000, 'tier:retrainable');
	const {totals, question} = explorer.window.result.getState();
	explorer.selection.toggleAll();
	toRow(explorer, 3);
	await explorer.selection.toggle();
	const without = explorer.selectedEpisode() as LakeEpisode;
	await summaryIs(explorer, Number(totals?.episodes) - 1);
	const {summary, datasets} = await until(explorer.selection.summary, known => known.datasets !== undefined);
	const episodes = await read(explorer);
	expect(episodes).toHaveLength(Number(totals?.episodes) - 1);
	expect(episodes.some(({episode_id}) => episode_id === without.episode_id)).toBe(false);
	expect(datasets).toEqual({count: new Set(episodes.map(each => each.dataset_id)).size, isMore: false});
	expect(summary?.seconds).toBeCloseTo(
		episodes.reduce((sum, each) => sum + each.duration_seconds, 0),
		3,
	);
	const byTask = Object.groupBy(episodes, ({task}) => task ?? '—');
	for (const {value, count} of summary?.tasks.values ?? []) {
		expect(Number(count)).toBe(byTask[value]?.length);
	}
	const shown = markOf(selected(explorer), question);
	expect(shown(without)).toBe(false);
});

test('a selection by one task counts that task alone, though the facet lists all', async () => {
	const {explorer} = await opened(2000);
	const [first] = explorer.window.result.getState().facets?.by_task ?? [];
	explorer.filterBy(filterOf(`task:${JSON.stringify(first?.value)}`));
	await until(explorer.window.result, ({isPrevious}) => !isPrevious);
	explorer.selection.toggleAll();
	const {summary} = await summaryIs(explorer, Number(first?.count));
	expect(summary?.tasks).toMatchObject({known: 1n, others: 0n});
});

test('all of one filter stay selected under another, in any order, until something there is picked', async () => {
	const {explorer} = await opened(2000, 'tier:retrainable');
	const {result} = explorer.window;
	const count = Number(result.getState().totals?.episodes);
	explorer.selection.toggleAll();
	explorer.filterBy(filterOf('tier:retrainable order:desc'));
	await until(result, ({isPrevious, question}) => !isPrevious && question.order_desc === true);
	expect(
		markOf(selected(explorer), result.getState().question)(result.getState().row(0) as LakeEpisode),
	).toBe(true);
	explorer.filterBy(filterOf('tier:analyze_only'));
	await until(result, ({isPrevious, question}) => !isPrevious && question.tiers?.[0] === 'analyze_only');
	await summaryIs(explorer, count);
	expect(await read(explorer)).toHaveLength(count);
	await explorer.selection.toggle();
	await summaryIs(explorer, 1);
	expect(explorer.state.getState().notices.at(-1)?.text).toContain('a new selection');
});

test('what was dropped is brought back, and either is said', async () => {
	const {explorer} = await opened(50);
	const said = () => explorer.state.getState().notices.map(({text}) => text);
	explorer.selection.drop();
	await explorer.undo.undo();
	expect(said()).toEqual([]);
	explorer.selection.toggleAll();
	explorer.selection.drop();
	expect(isNothing(selected(explorer))).toBe(true);
	expect(said()).toEqual(['The selection is dropped']);
	await explorer.undo.undo();
	await summaryIs(explorer, 50);
	expect(said().at(-1)).toBe('Selected again: all that match no filter.');
});

test('counting datasets asks a few small questions, one after the other', async () => {
	const {service, explorer} = await opened(5000);
	const before = service.requests.length;
	explorer.selection.toggleAll();
	await until(explorer.selection.summary, ({datasets}) => datasets !== undefined);
	const asked = service.requests.slice(before).filter(({path}) => path.startsWith('/v1/datasets/explore'));
	expect(asked.length).toBeLessThanOrEqual(41);
	expect(asked.every(({body}) => (body as {limit: number}).limit <= 100)).toBe(true);
});
