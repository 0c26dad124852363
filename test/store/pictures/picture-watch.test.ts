import {expect, test, vi} from 'vitest';
import type {Client} from '../../../source/client/client.ts';
import type {LakeEpisode} from '../../../source/contract/episode.ts';
import {encodePng} from '../../../source/picture/decode.ts';
import {PictureWatch} from '../../../source/store/pictures/picture-watch.ts';

/** A loaded machine reads a picture late. */
const patience = {timeout: 20_000};

const png = await encodePng({width: 1, height: 1, data: Uint8Array.of(1, 2, 3)});

const episode = (id: string, thumb_url?: string) => ({episode_id: id, thumb_url}) as unknown as LakeEpisode;

function watched({
	cameras = ['front', 'wrist'],
	abilities = ['frames'],
	isSlow = false,
}: {
	cameras?: string[];
	abilities?: string[];
	isSlow?: boolean;
} = {}) {
	const asked: string[] = [];
	const signals: (AbortSignal | undefined)[] = [];
	const client = {
		picture: (url: string) => {
			asked.push(url);
			return Promise.resolve(Buffer.from('<html>'));
		},
		episodeFrame: (
			id: string,
			query: {camera?: string; which?: string},
			{signal}: {signal?: AbortSignal},
		) => {
			asked.push(`${id} ${query.which} ${query.camera ?? ''}`.trim());
			signals.push(signal);
			if (isSlow) {
				return new Promise((_, reject) => {
					signal?.addEventListener('abort', () => reject(signal.reason));
				});
			}
			const isBroken = query.camera === 'wrist' && query.which === 'last';
			return Promise.resolve({
				data: {
					cameras,
					camera: query.camera ?? cameras[0] ?? null,
					source: isBroken ? null : 'parquet',
					png: isBroken ? null : Buffer.from(png).toString('base64'),
					problem: isBroken ? 'the video ends before it' : null,
				},
			});
		},
	} as unknown as Client;
	return {watch: new PictureWatch({client, abilities: () => abilities}), asked, signals};
}

const ended = (watch: PictureWatch) =>
	vi.waitUntil(
		() => watch.known.getState().episodeId !== undefined && !watch.known.getState().isReading,
		patience,
	);

test('the first and the last picture of each camera, one after the other, what is missing with its reason', async () => {
	const {watch, asked} = watched();
	watch.show(episode('a'), 320);
	await ended(watch);
	expect(asked).toEqual(['a first', 'a last front', 'a first wrist', 'a last wrist']);
	const {pictures, problem} = watch.known.getState();
	expect(problem).toBeUndefined();
	expect(pictures.map(({of, which, pixels, problem: none}) => [of, which, pixels?.width ?? none])).toEqual([
		['front', 'first', 1],
		['front', 'last', 1],
		['wrist', 'first', 1],
		['wrist', 'last', 'the video ends before it'],
	]);
});

test('a service without frames is asked for none; its thumbnail is read, and what that is instead is said', async () => {
	const {watch, asked} = watched({abilities: []});
	watch.show(episode('a', 'https://pictures.example.com/a.png'), 320);
	await ended(watch);
	expect(asked).toEqual(['https://pictures.example.com/a.png']);
	expect(watch.known.getState().pictures).toMatchObject([
		{of: 'thumbnail', problem: 'it is neither PNG nor JPEG'},
	]);
	watch.show(episode('b'), 320);
	await ended(watch);
	expect(watch.known.getState()).toMatchObject({
		pictures: [],
		problem: expect.stringContaining('has neither a thumbnail'),
	});
});

test('another episode gives up the one before, and nothing goes on once nobody looks', async () => {
	const {watch, signals} = watched({isSlow: true});
	watch.show(episode('a'), 320);
	await vi.waitUntil(() => signals.length === 1, patience);
	watch.show(episode('b'), 320);
	expect(signals[0]?.aborted).toBe(true);
	await vi.waitUntil(() => signals.length === 2, patience);
	watch.close();
	expect(signals[1]?.aborted).toBe(true);
	expect(watch.known.getState()).toMatchObject({pictures: [], isReading: false, problem: undefined});
});
