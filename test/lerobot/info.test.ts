import {describe, expect, test} from 'vitest';
import {DatasetError} from '../../source/lerobot/dataset-error.ts';
import {layoutFeatures} from '../../source/lerobot/features.ts';
import {parseInfo} from '../../source/lerobot/info.ts';
import {interfaceHash} from '../../source/lerobot/interface-hash.ts';

const folder = '/home/lab/lerobot/lab/towels';

const written = {
	codebase_version: 'v3.0',
	fps: 30,
	robot_type: 'SO101 Follower',
	features: {
		action: {dtype: 'float32', shape: [2], names: ['a', 'b']},
		'observation.state': {dtype: 'float32', shape: [2], names: ['a', 'b']},
		top: {dtype: 'video', shape: [480, 640, 3], names: null, info: {'video.codec': 'av1'}},
	},
};

const parse = (info: unknown) => parseInfo(JSON.stringify(info), folder);

function sentence(work: () => unknown): string {
	try {
		work();
	} catch (error) {
		expect(error).toBeInstanceOf(DatasetError);
		return (error as Error).message;
	}
	throw new Error('nothing was refused');
}

describe('info.json', () => {
	test('may leave out what has a default, be fractional in fps, and hold unknown keys', () => {
		const info = parse({...written, fps: 29.97, robot_type: null, video_path: null, tools: []});
		expect(info.data_path).toBe('data/chunk-{chunk_index:03d}/file-{file_index:03d}.parquet');
		expect(info.fps).toBe(29.97);
	});

	test('may leave the names of a feature out', () => {
		const action = {dtype: 'float32', shape: [2]};
		expect(layoutFeatures(parse({...written, features: {action}}).features).action?.names).toEqual([
			'0',
			'1',
		]);
	});

	test('of v2.1 places an episode in a file of its own, unless it says otherwise', () => {
		const info = parse({...written, codebase_version: 'v2.1'});
		expect(info.format).toBe('v2.1');
		expect(info.data_path).toBe('data/chunk-{episode_chunk:03d}/episode_{episode_index:06d}.parquet');
		expect(parse({...written, codebase_version: 'v2.1', data_path: 'all/{episode_index}'}).data_path).toBe(
			'all/{episode_index}',
		);
	});

	test.each([
		[
			'an older version',
			{...written, codebase_version: 'v1.6'},
			/v1\.6 dataset; lakescope reads v3\.0, v2\.1 and v2\.0\. Convert it/,
		],
		['v1.0', {...written, codebase_version: 'v1.0'}, /v1\.0 dataset; lakescope reads v3\.0, v2\.1 and v2\.0/],
		['no fps in v2.1', {codebase_version: 'v2.1', features: {}}, /breaks the LeRobot v2\.1 format at fps/],
		['no version', {fps: 30}, /not a LeRobot dataset/],
		['a list', [], /not a LeRobot dataset/],
		['no fps', {...written, fps: undefined}, /breaks the LeRobot v3\.0 format at fps/],
		['an fps of 0', {...written, fps: 0}, /at fps/],
		[
			'a feature without a dtype',
			{...written, features: {action: {shape: [1]}}},
			/at features\.action\.dtype/,
		],
		[
			'a negative shape',
			{...written, features: {action: {dtype: 'float32', shape: [-1]}}},
			/at features\.action\.shape\.0/,
		],
	])('with %s is refused by the field', (_, info, expected) => {
		expect(sentence(() => parse(info))).toMatch(expected);
	});

	test('that is no JSON is said to be none', () => {
		expect(sentence(() => parseInfo('{"codebase', folder))).toMatch(/meta\/info\.json of .* is not JSON/);
	});
});

describe('the interface hash', () => {
	const hash = (change: object = {}) => {
		const info = parse({...written, ...change});
		return interfaceHash(info, layoutFeatures(info.features));
	};
	const features = (change: object) => ({features: {...written.features, ...change}});

	test('can be read: robot, rate, and four digits', () => {
		expect(hash()).toMatch(/^so101_follower-30hz-[0-9a-f]{4}$/);
		expect(hash({robot_type: null, fps: 29.97})).toMatch(/^unknown-29\.97hz-[0-9a-f]{4}$/);
	});

	test('stays the same whatever the codec, whether video or image, and with other telemetry', () => {
		expect(hash(features({top: {...written.features.top, info: {'video.codec': 'h264'}}}))).toBe(hash());
		expect(hash(features({top: {...written.features.top, dtype: 'image'}}))).toBe(hash());
		expect(hash(features({effort: {dtype: 'float32', shape: [2], names: null}}))).toBe(hash());
	});

	test.each([
		['another name', {action: {dtype: 'float32', shape: [2], names: ['a', 'c']}}],
		['another dtype', {action: {dtype: 'float64', shape: [2], names: ['a', 'b']}}],
		['another shape', {action: {dtype: 'float32', shape: [3], names: null}}],
		['a camera more', {wrist: {dtype: 'video', shape: [480, 640, 3], names: null}}],
		['another picture size', {top: {dtype: 'video', shape: [720, 1280, 3], names: null}}],
	])('tells %s apart', (_, change) => {
		expect(hash(features(change))).not.toBe(hash());
	});
});
