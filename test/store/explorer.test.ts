import {expect, test} from 'vitest';
import {noFilter} from '../../source/query/filter.ts';
import type {Explorer} from '../../source/store/explorer.ts';
import {movedTo} from '../../source/store/state/list-location.ts';
import {moved} from '../../source/store/state/transitions.ts';
import {viewed} from '../../source/store/state/view-transitions.ts';
import {refused} from '../hosted-service/faults.ts';
import type {EpisodeSeed} from '../hosted-service/lake.ts';
import {hosted} from '../support/hosted.ts';
import {explorerOf, filterOf, until} from './support.ts';

const explore = 'POST /v1/datasets/explore';

const episode = (dataset_name: string, episode_index: number): EpisodeSeed => ({
	dataset_name,
	episode_index,
	frame_count: 100,
	duration_seconds: 3,
	channels: [
		{
			stream: 'action',
			channel: 'gripper.pos',
			native_channel: 'action.gripper.pos',
			native_index: 5,
			max: 40 + episode_index,
			min: 0,
			mean: 20,
			std: 4,
		},
	],
});

const series = (name: string, count: number) =>
	Array.from({length: count}, (_, index) => episode(name, index));

const select = (explorer: Explorer, row: number) =>
	explorer.update(
		moved(position =>
			movedTo(position, row, {count: explorer.window.result.getState().rowCount, height: 10}),
		),
	);

const selectedName = (explorer: Explorer) => {
	const found = explorer.selectedEpisode();
	return found && `${found.dataset_name} ${found.episode_index}`;
};

test('the first page is read at the first try, with nothing known of the service yet', async () => {
	const service = await hosted({episodes: series('alpha', 3)});
	const explorer = explorerOf(service);
	const states = new Set<string>();
	explorer.window.result.subscribe(({freshness}) => states.add(freshness.state));
	await until(explorer.window.result, ({rowCount}) => rowCount === 3);
	expect([...states].filter(state => state !== 'loading' && state !== 'fresh')).toEqual([]);
});

test('a dataset is filtered by its name, also one that no page has shown yet', async () => {
	const service = await hosted({episodes: [...series('alpha', 300), ...series('zulu', 3)]});
	const explorer = explorerOf(service);
	await until(explorer.window.result, ({rowCount}) => rowCount === 303);
	explorer.filterBy(filterOf('dataset:zulu'));
	const {row} = await until(explorer.window.result, ({rowCount}) => rowCount === 3);
	expect(row(0)).toMatchObject({dataset_name: 'zulu'});
	expect(explorer.state.getState().filter.datasets).toEqual(['zulu']);
});

test('a name that no dataset bears is said in the line, and the filter stays as it was', async () => {
	const service = await hosted({episodes: series('alpha', 3)});
	const explorer = explorerOf(service);
	await until(explorer.window.result, ({rowCount}) => rowCount === 3);
	explorer.filterBy(filterOf('dataset:beta'));
	await until(explorer.state, ({editing}) => editing === 'filter');
	expect(explorer.filterLine.draft.getState()).toBe('dataset:beta');
	expect(explorer.filterLine.count.known.getState()).toEqual({state: 'unknown-datasets', names: ['beta']});
	expect(explorer.state.getState().filter).toBe(noFilter);
});

test('a filter with a name that it is opened with is asked once the name is known', async () => {
	const service = await hosted({episodes: [...series('alpha', 5), ...series('zulu', 2)]});
	const explorer = explorerOf(service, {filter: filterOf('dataset:zulu')});
	await until(explorer.window.result, ({rowCount}) => rowCount === 2);
});

test('evidence of the selected episode is asked for by narrowing the question to it', async () => {
	const service = await hosted({episodes: series('alpha', 30)});
	const explorer = explorerOf(service, {filter: filterOf('max(gripper.pos)>50')});
	await until(explorer.window.result, ({rowCount}) => rowCount === 19);
	select(explorer, 4);
	const wanted = explorer.selectedEpisode()?.episode_id;
	const evidence = await until(explorer.evidence.known, known => known.has(wanted ?? ''));
	expect(evidence.get(wanted ?? '')).toMatchObject([
		{predicate_index: 0, channel: 'gripper.pos', threshold: 50, observed_value: 55, native_index: 5},
	]);
	expect(service.requests.at(-1)?.body).toMatchObject({limit: 1, offset: 0, episode_index: 15});
});

test('rows that come above the selected episode do not take it away', async () => {
	const whole = series('mike', 57);
	const service = await hosted({episodes: whole.slice(7)});
	const explorer = explorerOf(service);
	await until(explorer.window.result, ({rowCount}) => rowCount === 50);
	select(explorer, 20);
	expect(selectedName(explorer)).toBe('mike 27');
	service.setEpisodes(whole);
	explorer.refetch();
	await until(explorer.window.result, ({rowCount}) => rowCount === 57);
	expect(selectedName(explorer)).toBe('mike 27');
	expect(explorer.state.getState().position.selected).toBe(27);
});

test('who looks at the first row keeps looking at the first row', async () => {
	const whole = series('mike', 57);
	const service = await hosted({episodes: whole.slice(7)});
	const explorer = explorerOf(service);
	await until(explorer.window.result, ({rowCount}) => rowCount === 50);
	service.setEpisodes(whole);
	explorer.refetch();
	await until(explorer.window.result, ({rowCount}) => rowCount === 57);
	expect(selectedName(explorer)).toBe('mike 0');
});

test('why nothing newer shows is said once', async () => {
	const service = await hosted({episodes: series('mike', 5)});
	const explorer = explorerOf(service);
	await until(explorer.window.result, ({rowCount}) => rowCount === 5);
	service.setFault(explore, refused(500, 'the lake is being repaired'));
	explorer.refetch();
	const {notices} = await until(explorer.state, state => state.notices.length > 0);
	expect(notices).toMatchObject([{text: expect.stringContaining('the lake is being repaired')}]);
});

test('a service that is no embedded one is asked for its local document once', async () => {
	const service = await hosted({episodes: series('mike', 5)});
	const explorer = explorerOf(service);
	await until(explorer.window.result, ({rowCount}) => rowCount === 5);
	explorer.refetch();
	await until(explorer.window.result, ({freshness}) => freshness.state === 'fresh' && !freshness.isReading);
	expect(await until(explorer.local.known, ({isOther}) => isOther)).toEqual({
		document: undefined,
		isOther: true,
		ingests: [],
		sample: undefined,
	});
});

test('a refresh by hand waits as long as the service asked for, in every view, and says until when', async () => {
	const service = await hosted({episodes: 20});
	const explorer = explorerOf(service);
	await until(explorer.window.result, ({rowCount}) => rowCount === 20);
	service.setFault('*', refused(429, 'too many', 60));
	expect(explorer.refetch()).toBeUndefined();
	await until(explorer.window.result, ({freshness}) => freshness.state === 'stale' && !freshness.isReading);
	explorer.update(viewed('jobs'));
	await until(explorer.jobs.known, ({freshness}) => freshness.state === 'failed' && !freshness.isReading);
	const asked = service.requests.length;
	for (const view of ['jobs', 'explore'] as const) {
		explorer.update(viewed(view));
		const wait = (explorer.refetch() ?? 0) - Date.now();
		expect(wait).toBeGreaterThan(30_000);
		// The client spreads those who come back.
		expect(wait).toBeLessThanOrEqual(70_000);
	}
	expect(service.requests.slice(asked).map(({path}) => path)).toEqual([]);
});
