import {expect, test} from 'vitest';
import {print} from '../../../source/query/print.ts';
import {moved} from '../../../source/store/state/transitions.ts';
import {hosted} from '../../support/hosted.ts';
import {explorerOf, filterOf, until} from '../support.ts';

test('back brings the rows of the filter before, where they were left', async () => {
	const explorer = explorerOf(await hosted({episodes: 1200}));
	const {result} = explorer.window;
	await until(result, ({rowCount}) => rowCount === 1200);
	explorer.update(moved(() => ({selected: 940, offset: 930})));
	explorer.window.show(930, 950);
	await until(result, ({row}) => typeof row(940) === 'object');
	const left = result.getState().row(940);
	explorer.filterBy(filterOf('tier:retrainable'));
	await until(result, ({isPrevious, rowCount}) => !isPrevious && rowCount < 1200);
	expect(explorer.places.back()).toMatchObject({view: 'explore'});
	expect(explorer.state.getState().position).toEqual({selected: 940, offset: 930});
	const {row} = await until(result, state => state.rowCount === 1200 && typeof state.row(940) === 'object');
	expect(row(940)).toEqual(left);
	expect(explorer.places.can('forward')).toBe(true);
});

test('going somewhere is a step, and opens what is named', async () => {
	const explorer = explorerOf(await hosted({episodes: 20}));
	explorer.places.go({view: 'jobs', opened: 'some-job'});
	expect(explorer.state.getState().lists.jobs).toMatchObject({cursor: 'some-job', opened: true});
	explorer.places.go({view: 'explore', filter: filterOf('towel')});
	expect(print(explorer.places.here().filter)).toBe('towel');
	explorer.places.back();
	expect(explorer.places.here()).toMatchObject({view: 'jobs', opened: 'some-job'});
	explorer.places.back();
	expect(explorer.places.here()).toMatchObject({view: 'explore', opened: undefined});
	expect(explorer.places.back()).toBeUndefined();
});

test('a filter that names a dataset is gone back to as well', async () => {
	const episodes = ['alpha', 'zulu'].map(dataset_name => ({
		dataset_name,
		episode_index: 0,
		frame_count: 100,
		duration_seconds: 3,
	}));
	const explorer = explorerOf(await hosted({episodes}), {filter: filterOf('dataset:zulu')});
	await until(explorer.window.result, ({rowCount}) => rowCount === 1);
	explorer.filterBy(filterOf(''));
	await until(explorer.window.result, ({rowCount}) => rowCount === 2);
	explorer.places.back();
	const {row} = await until(explorer.window.result, ({rowCount}) => rowCount === 1);
	expect(row(0)).toMatchObject({dataset_name: 'zulu'});
});

test('opened with a dataset that there is not, it shows everything and keeps the line open', async () => {
	const explorer = explorerOf(await hosted({episodes: 20}), {filter: filterOf('dataset:nowhere')});
	await until(explorer.state, ({editing}) => editing === 'filter');
	expect(explorer.filterLine.draft.getState()).toBe('dataset:nowhere');
	expect(print(explorer.state.getState().filter)).toBe('');
});
