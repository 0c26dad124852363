import {expect, test} from 'vitest';
import {programHome} from '../commands/support/program.ts';
import {armDataset, siblings} from '../service/support/arm-dataset.ts';
import {explore, isWhole} from './support.ts';

const home = programHome();

test('why episodes of several embodiments make no dataset is told between the head and the foot of the screen', async () => {
	const lake = home.at('lake');
	const cameras = Array.from({length: 20}, (_, place) => `observation.images.camera_${place}`);
	await armDataset(home.at('all', 'arm'), siblings(2));
	await armDataset(home.at('all', 'koch'), siblings(2), {robotType: 'koch', cameras});
	expect(await home.run(['ingest', home.at('all'), '--lake', lake])).toMatchObject({code: 0});
	const explorer = explore(home, ['--lake', lake], {cols: 80, rows: 24});
	await explorer.until(shown => isWhole(shown) && shown.rows[1]?.includes('1 of 4'), 'the episodes');
	explorer.press('*');
	await explorer.until(({text}) => text.includes('all that match: 4 episodes'), 'them selected');
	explorer.press('m');
	await explorer.until(({text}) => text.includes('Compose a dataset from 4 episodes'), 'the form');
	explorer.type('mixed');
	explorer.press('enter');
	const {rows} = await explorer.until(({text}) => text.includes('Not of one embodiment'), 'why not');
	const place = (words: RegExp) => rows.findIndex(row => words.test(row));
	expect(rows[0]).toMatch(/^ lakescope /);
	expect(rows[1]).toMatch(/^ \/ everything/);
	expect(place(/They are of 2 embodiments: /)).toBeLessThan(place(/Not of one embodiment:/));
	expect(place(/│ … and \d+ more +│/)).toBeGreaterThan(place(/robot_type is "so101_follower" in arm/));
	expect(rows.at(-1)).toMatch(/^ enter create +esc cancel/);
	explorer.press('esc');
	await explorer.until(({text}) => !text.includes('Compose a dataset'), 'the form gone');
	explorer.press('q');
	await explorer.untilExit();
}, 120_000);
