import {readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {expect, test} from 'vitest';
import {programHome} from '../commands/support/program.ts';
import {startHostedService} from '../hosted-service/server.ts';
import {smallDataset} from '../service/support/small-dataset.ts';
import {explore, isFresh} from './support.ts';

const home = programHome();

test('the problems of a dataset show with their repairs, are mended one by one or all, and taken back', async () => {
	const lake = home.at('lake');
	const folder = await smallDataset(home.at('push'), {episodes: 3});
	const file = path.join(folder, 'meta/info.json');
	const info = () => JSON.parse(readFileSync(file, 'utf8'));
	const whole = info();
	writeFileSync(file, JSON.stringify({...whole, total_frames: 9, splits: {train: '0:9'}}));
	const damaged = readFileSync(file);
	await home.run(['ingest', '--lake', lake, folder]);
	const explorer = explore(home, ['--lake', lake], {cols: 80, rows: 24});
	await explorer.until(isFresh, 'the lake');
	explorer.press('4');
	await explorer.untilText('▸local/push');
	explorer.press('enter');
	await explorer.until(
		({text}) =>
			text.includes('2 problems, 2 can be repaired') &&
			text.includes('A training is worse: total_frames is not the number of frames') &&
			text.includes('LeRobot: Counts epochs by it') &&
			text.includes('Repair: Writes the number of frames into meta/info.json.'),
		'the problems, what LeRobot does and the repairs',
	);

	// One: enter on the problem at the pointer.
	explorer.press('j');
	await explorer.until(({text}) => /▸A training is worse/.test(text), 'the pointer at the problem');
	explorer.press('enter');
	await explorer.until(
		({text}) =>
			text.includes('Repair push?') &&
			text.includes(`total_frames becomes ${whole.total_frames}, it was 9.`) &&
			text.includes('1 file changes: meta/info.json') &&
			/It needs about .* beside the dataset, where .* are free/.test(text),
		'the question with the difference and the room',
	);
	explorer.press('n');
	await explorer.until(({text}) => !text.includes('Repair push?'), 'no question');
	expect(readFileSync(file)).toEqual(damaged);
	explorer.press('enter');
	await explorer.untilText('Repair push?');
	explorer.press('y');
	await explorer.untilText('1 problem, 1 can be repaired');
	expect(info()).toMatchObject({total_frames: whole.total_frames, splits: {train: '0:9'}});

	// All that is left, then back again one repair after the other.
	explorer.press('m');
	await explorer.until(({text}) => /Repair push\?[\s\S]*splits becomes train 0:3/.test(text), 'the question');
	explorer.press('y');
	await explorer.until(({text}) => /check +nothing is wrong/.test(text), 'nothing left');
	expect(info().splits).toEqual({train: '0:3'});
	explorer.press('u');
	await explorer.until(
		({text}) => /Take the newest repair back\?[\s\S]*push: splits-wrong\./.test(text),
		'the question of the undo',
	);
	explorer.press('y');
	await explorer.untilText('1 problem, 1 can be repaired');
	explorer.press('u');
	await explorer.untilText('push: total-frames-wrong.');
	explorer.press('y');
	await explorer.untilText('2 problems, 2 can be repaired');
	expect(readFileSync(file)).toEqual(damaged);
	explorer.press('u');
	await explorer.untilText('push has no repair to take back.');
	explorer.press('q');
	expect((await explorer.untilExit()).code).toBe(0);
}, 240_000);

test('on a hosted service the keys say that datasets cannot be repaired', async () => {
	const service = await startHostedService({episodes: 3});
	const explorer = explore(home, [], {cols: 120, rows: 30, service});
	await explorer.until(isFresh, 'the lake');
	explorer.press('4');
	await explorer.untilText('▸acme/');
	explorer.press('enter');
	await explorer.untilText('esc back');
	explorer.press('m');
	await explorer.untilText('A hosted service cannot repair datasets');
	explorer.press('q');
	expect((await explorer.untilExit()).code).toBe(0);
	await service.close();
}, 60_000);
