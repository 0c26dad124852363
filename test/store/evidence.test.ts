import {expect, test} from 'vitest';
import type {Explorer} from '../../source/store/explorer.ts';
import {moved} from '../../source/store/state/transitions.ts';
import {hosted} from '../support/hosted.ts';
import {explorerOf, filterOf, until} from './support.ts';

const toRow = (explorer: Explorer, row: number) => explorer.update(moved(() => ({selected: row, offset: 0})));
const idOf = (explorer: Explorer) => explorer.selectedEpisode()?.episode_id ?? '';

async function opened(line: string) {
	const service = await hosted({episodes: 2000});
	const explorer = explorerOf(service, {filter: filterOf(line)});
	await until(explorer.window.result, ({totals}) => totals !== undefined);
	const asked = () => service.requests.filter(({body}) => (body as {limit?: number})?.limit === 1);
	return {explorer, asked};
}

test('the row under the cursor is asked about once it rests, rows walked past are not, and none twice', async () => {
	const {explorer, asked} = await opened('max(gripper.pos)>40');
	const {known} = explorer.evidence;
	for (let row = 0; row < 60; row++) toRow(explorer, row);
	const last = idOf(explorer);
	await until(known, evidence => evidence.has(last));
	expect(asked()).toHaveLength(1);
	toRow(explorer, 3);
	await until(known, evidence => evidence.has(idOf(explorer)));
	toRow(explorer, 59);
	toRow(explorer, 4);
	await until(known, evidence => evidence.has(idOf(explorer)));
	expect(asked()).toHaveLength(3);
	expect(known.getState().size).toBe(3);
});

test('what was found under other predicates is forgotten', async () => {
	const {explorer} = await opened('max(gripper.pos)>40');
	const {known} = explorer.evidence;
	await until(known, evidence => evidence.size === 1);
	explorer.filterBy(filterOf('max(gripper.pos)>45'));
	const {question} = await until(explorer.window.result, ({isPrevious}) => !isPrevious);
	expect(question.channel_predicates?.[0]?.value).toBe(45);
	await until(known, evidence => evidence.has(idOf(explorer)));
	expect(known.getState().get(idOf(explorer))).toMatchObject([{threshold: 45}]);
});

test('without channel predicates nothing is asked', async () => {
	const {explorer, asked} = await opened('max(gripper.pos)>40');
	await until(explorer.evidence.known, evidence => evidence.size === 1);
	explorer.filterBy(filterOf('tier:retrainable'));
	await until(explorer.window.result, ({isPrevious}) => !isPrevious);
	expect(explorer.evidence.known.getState().size).toBe(0);
	expect(asked()).toHaveLength(1);
});
