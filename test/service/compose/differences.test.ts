import {expect, test} from 'vitest';
import {compareParents} from '../../../source/service/compose/differences.ts';

const dataset = (dataset_name: string, robot_type: string, cameras: readonly string[] = []) => ({
	dataset_name,
	robot_type,
	fps: 30,
	features: Object.fromEntries(
		cameras.map(camera => [`observation.images.${camera}`, {dtype: 'video', shape: [48, 64, 3]}]),
	),
});

test('what differs in the same way in several datasets is told once', () => {
	const others = ['koch-1', 'koch-2', 'koch-3'].map(name => dataset(name, 'koch', ['front']));
	expect(compareParents([dataset('arm', 'so101'), ...others, dataset('aloha', 'aloha')]).refused).toEqual([
		'robot_type is "so101" in arm and "koch" in koch-1 (and 2 more)',
		'koch-1 (and 2 more) has a feature "observation.images.front" and arm has none',
		'robot_type is "so101" in arm and "aloha" in aloha',
	]);
});
