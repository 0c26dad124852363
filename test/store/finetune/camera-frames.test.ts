import {expect, test, vi} from 'vitest';
import type {LakeEpisode} from '../../../source/contract/episode.ts';
import {encodePng} from '../../../source/picture/decode.ts';
import {CameraFrames} from '../../../source/store/finetune/camera-frames.ts';
import {nothingSelected, type Selection} from '../../../source/store/selection/selection.ts';

/** A loaded machine takes its time. */
const patience = {timeout: 20_000};

const bytes = await encodePng({width: 1, height: 1, data: Uint8Array.of(1, 2, 3)});
const png = Buffer.from(bytes).toString('base64');
const cups = '00000000-0000-4000-8000-0000000000c1';
const plates = '00000000-0000-4000-8000-0000000000c2';
const front = {datasetId: cups, camera: 'front'};
const wrist = {datasetId: cups, camera: 'wrist'};

const episode = (id: string, dataset_id = cups, thumb_url?: string) =>
	({episode_id: id, dataset_id, thumb_url}) as unknown as LakeEpisode;

type Answers = {
	readonly selection?: Selection;
	readonly episodes?: readonly LakeEpisode[];
	readonly abilities?: readonly string[];
	readonly frame?: () => Promise<object>;
};

function looking({selection = nothingSelected, episodes = [], abilities = ['frames'], frame}: Answers = {}) {
	const asked: unknown[] = [];
	const signals: (AbortSignal | undefined)[] = [];
	const given = frame ?? (() => Promise.resolve({png, problem: null, source: 'video'}));
	const frames = new CameraFrames({
		client: {
			explore: ((request: object) => {
				asked.push(request);
				return Promise.resolve({data: {episodes}});
			}) as never,
			episodeFrame: ((id: string, query: object, {signal}: {signal?: AbortSignal}) => {
				asked.push([id, query]);
				signals.push(signal);
				return given().then(data => ({data}));
			}) as never,
			picture: (url: string) => {
				asked.push(url);
				return Promise.resolve(bytes);
			},
		},
		selection: () => selection,
		can: ability => Promise.resolve(abilities.includes(ability)),
	});
	const shown = () => frames.known.getState();
	const settled = () =>
		vi.waitUntil(() => {
			const {picture} = shown();
			return picture?.pixels !== undefined || picture?.problem !== undefined;
		}, patience);
	return {frames, asked, signals, shown, settled};
}

test('the first frame of the camera that is looked at is read once, and only once it is looked at', async () => {
	const {frames, asked, shown, settled} = looking({episodes: [episode('a')]});
	expect(asked).toEqual([]);
	frames.look(front);
	await settled();
	expect(asked).toEqual([
		{dataset_ids: [cups], limit: 1},
		['a', {camera: 'front', which: 'first', side: 320}],
	]);
	expect(shown().picture).toMatchObject({of: 'front', which: 'first', source: 'video', pixels: {width: 1}});
	frames.look(undefined);
	frames.look(front);
	expect(shown().picture?.pixels?.width).toBe(1);
	expect(asked).toHaveLength(2);
});

test('it is of an episode that is selected, where one of the dataset is', async () => {
	const picked = new Map([
		['x', episode('x', plates)],
		['y', episode('y')],
	]);
	const byHand = looking({selection: {by: 'hand', picked}});
	byHand.frames.look(front);
	await byHand.settled();
	expect(byHand.asked).toEqual([['y', {camera: 'front', which: 'first', side: 320}]]);

	const question = {tasks: ['fold']};
	const selection = {by: 'query', filter: {} as never, question, except: new Map()} as const;
	const byQuery = looking({selection, episodes: [episode('z')]});
	byQuery.frames.look(front);
	await byQuery.settled();
	expect(byQuery.asked[0]).toEqual({tasks: ['fold'], dataset_ids: [cups], limit: 1});
});

test('a slot that is walked past is not asked for, and what is being read of another is given up', async () => {
	const {promise, resolve} = Promise.withResolvers<object>();
	const {frames, asked, signals, shown} = looking({episodes: [episode('a')], frame: () => promise});
	frames.look(wrist);
	frames.look(front);
	await vi.waitUntil(() => signals.length === 1, patience);
	expect(asked[1]).toEqual(['a', {camera: 'front', which: 'first', side: 320}]);
	frames.look(undefined);
	expect(signals[0]?.aborted).toBe(true);
	resolve({png, problem: null, source: 'parquet'});
	await promise;
	expect(shown().picture).toBeUndefined();
});

test.each([
	[{episodes: []}, 'The lake has no episode of this dataset.'],
	[{episodes: [episode('a')], abilities: []}, 'The service has neither a thumbnail'],
	[
		{
			episodes: [episode('a')],
			frame: () => Promise.resolve({png: null, problem: 'ffmpeg is not on the path', source: null}),
		},
		'ffmpeg is not on the path',
	],
	[{episodes: [episode('a')], frame: () => Promise.reject(new Error('It went away.'))}, 'It went away.'],
] satisfies [Answers, string][])('where there is none, why is said', async (answers, reason) => {
	const {frames, shown, settled} = looking(answers);
	frames.look(front);
	await settled();
	expect(shown().picture?.problem).toContain(reason);
});

test('a thumbnail stands in where the service has no frames, and is not called the camera', async () => {
	const episodes = [episode('a', cups, 'https://pictures.example/a.png')];
	const {frames, shown, settled} = looking({episodes, abilities: []});
	frames.look(front);
	await settled();
	expect(shown().picture).toMatchObject({which: 'thumbnail', pixels: {width: 1}});
	expect(shown().picture?.of).not.toContain('front');
});
