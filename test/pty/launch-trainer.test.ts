import path from 'node:path';
import {expect, test} from 'vitest';
import {programHome} from '../commands/support/program.ts';
import {writeLerobotDataset} from '../support/lerobot-dataset.ts';
import {standIn} from '../support/trainer/stand-in.ts';
import {explore, isFresh} from './support.ts';

const home = programHome();
const lake = home.at('lake');

test('an explorer whose shell has a trainer is told to train on it by a service that was started without', async () => {
	const folder = home.at('recordings', 'cups');
	const episodes = [{tasks: ['fold'], frames: 30}];
	await writeLerobotDataset(folder, {cameras: ['observation.images.front'], episodes});
	expect(await home.run(['ingest', folder, '--lake', lake])).toMatchObject({code: 0});
	const first = explore(home, ['--lake', lake], {cols: 100, rows: 30});
	await first.until(isFresh, 'the service that runs without a trainer');

	const PATH = `${path.dirname(standIn)}:${process.env.PATH}`;
	const explorer = explore(home, ['--lake', lake], {cols: 100, rows: 30, env: {PATH}});
	await explorer.until(isFresh, 'the lake');
	explorer.press('4');
	await explorer.until(({text}) => text.includes('▸local/cups'), 'the dataset');
	explorer.press('l');
	await explorer.until(({text}) => text.includes('enter creates "default"'), 'the form');
	explorer.press('enter');
	await explorer.until(({text}) => /▸ +act /.test(text) && text.includes('Image keys: '), 'the types');
	explorer.press('enter');
	await explorer.until(({text}) => /▸ front +\?/.test(text), 'the camera');
	explorer.press('enter');
	await explorer.until(({text}) => /▸ hours/.test(text), 'the training');
	explorer.type('1');
	explorer.press('pagedown', 'pagedown');
	await explorer.until(
		({text}) => text.includes('on this machine') && text.includes('y launches'),
		'that it is trained here',
	);
	explorer.press('ctrl+r', 'ctrl+x');
	await explorer.until(({text}) => !text.includes('Launch a fine-tune'), 'the form closed');
	for (const each of [explorer, first]) {
		each.press('q');
		expect((await each.untilExit()).code).toBe(0);
	}
}, 120_000);
