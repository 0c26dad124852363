import {expect, onTestFinished, test} from 'vitest';
import {programHome} from '../commands/support/program.ts';
import {armDataset, siblings} from '../service/support/arm-dataset.ts';
import {explore, goByProxy, isWhole} from './support.ts';

const home = programHome();

/** That all the episodes are rejected. */
const refusal = /nothing is left to/;

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
	const {rows} = await explorer.until(({text}) => text.includes('Layouts differ'), 'why not');
	const place = (words: RegExp) => rows.findIndex(row => words.test(row));
	expect(rows[0]).toMatch(/^ lakescope /);
	expect(rows[1]).toMatch(/^ \/ everything/);
	expect(place(/These episodes have 2 layouts: /)).toBeLessThan(place(/Layouts differ:/));
	expect(place(/│ … and \d+ more +│/)).toBeGreaterThan(place(/robot_type is "so101_follower" in arm/));
	expect(rows.at(-1)).toMatch(/^ enter create +esc cancel/);
	explorer.press('esc');
	await explorer.until(({text}) => !text.includes('Compose a dataset'), 'the form gone');
	explorer.press('q');
	await explorer.untilExit();
}, 120_000);

test('what was said against an order goes as soon as that is another, or is tried again', async () => {
	const lake = home.at('lake-said');
	await armDataset(home.at('said'), siblings(3));
	const served = home.start(['serve', '--lake', lake], {LAKESCOPE_API_KEY: undefined});
	onTestFinished(() => {
		served.kill();
	});
	expect(await home.run(['ingest', home.at('said'), '--lake', lake])).toMatchObject({code: 0});
	let isBroken = false;
	await goByProxy(home, ({method, path}) => isBroken && method === 'POST' && path === '/local/v1/compose');
	const explorer = explore(home, ['--lake', lake], {cols: 100, rows: 30});
	await explorer.until(shown => isWhole(shown) && shown.rows[1]?.includes('1 of 3'), 'the episodes');
	explorer.press('*', '-');
	await explorer.untilText('3 rejected · u');
	explorer.press('m');
	await explorer.untilText('3 of them rejected: excluded');
	const gone = (words: string) => explorer.until(({text}) => !text.includes(words), `no ${words}`);

	// Another name.
	explorer.type('a b');
	explorer.press('enter');
	await explorer.untilText('A name is letters, digits');
	explorer.press('backspace');
	await gone('A name is letters, digits');
	explorer.press('ctrl+u');
	explorer.type('whole');

	// Other episodes.
	explorer.press('enter');
	await explorer.until(({text}) => refusal.test(text), 'why not');
	explorer.press('ctrl+r');
	await explorer.until(({text}) => text.includes('rejected: included') && !refusal.test(text), 'it is gone');

	// The next try, once a 500 is over; while it is not, the key that orders says so each time.
	isBroken = true;
	explorer.press('enter');
	await explorer.untilText('The disk is being changed.');
	isBroken = false;
	explorer.press('enter');
	await explorer.untilText('whole is being composed from 3 episodes of 1 dataset.');
	await gone('The disk is being changed.');
	explorer.press('q');
	await explorer.untilExit();
}, 120_000);
