import {expect, test} from 'vitest';
import {programHome} from '../commands/support/program.ts';
import {writeLerobotDataset} from '../support/lerobot-dataset.ts';
import {standIn} from '../support/trainer/stand-in.ts';
import {explore} from './support.ts';

const home = programHome();
const lake = home.at('lake');
const camera = 'observation.images.front';
const env = {LAKESCOPE_TRAINER: standIn, LAKESCOPE_JOB_RETRY_MS: '50', LAKESCOPE_JOB_END_MS: '300'};

const fold = {tasks: ['fold'], frames: 30};
const pick = {tasks: ['pick'], frames: 30};

test('episodes of two datasets are composed, a fine-tune launched on them, followed to its model and back to them', async () => {
	for (const [name, episodes] of [
		['cups', [fold, pick, fold]],
		['plates', [pick, fold]],
	] as const) {
		const folder = home.at('recordings', name);
		await writeLerobotDataset(folder, {cameras: [camera], episodes: [...episodes]});
		expect(await home.run(['ingest', folder, '--lake', lake], env)).toMatchObject({code: 0});
	}
	const explorer = explore(home, ['--lake', lake, 'task:fold'], {
		cols: 120,
		rows: 40,
		env,
		deadlineMs: 40_000,
	});
	await explorer.until(
		({text}) => text.includes('cups') && text.includes('● live') && text.includes('of 3'),
		'the three episodes',
	);
	explorer.press('l');
	await explorer.until(
		({text}) =>
			text.includes('trains on one whole dataset, and 3 episodes of 2 datasets are none') &&
			text.includes('compose as'),
		'why they are to be composed',
	);
	explorer.type('folding');
	explorer.press('enter');
	await explorer.until(({text}) => /▸ new project/.test(text), 'the projects, once it is composed');
	explorer.type('tests');
	explorer.press('enter');
	await explorer.until(({text}) => /▸ +act /.test(text) && text.includes(camera), 'the types');
	explorer.press('enter');
	await explorer.until(({text}) => /▸ front +.*offered: enter confirms/.test(text), 'the camera, offered');
	explorer.press('enter');
	await explorer.until(({text}) => /▸ hours/.test(text), 'the training');
	explorer.type('1');
	explorer.press('pagedown');
	await explorer.until(({text}) => /▸ save_freq +1000/.test(text), 'the defaults');
	explorer.press('ctrl+u');
	explorer.type('0');
	await explorer.until(
		({text}) => /▸ save_freq +▲/.test(text) && text.includes('must be at least 1, and is 0'),
		'what the service says against it',
	);
	explorer.press('ctrl+u');
	explorer.type('20');
	await explorer.until(({text}) => /▸ save_freq +\* 20/.test(text), 'the change, marked');
	explorer.press('down', 'ctrl+u');
	explorer.type('5');
	explorer.press('up', 'up');
	await explorer.until(({text}) => /▸ others/.test(text), 'the others');
	explorer.type('{"steps": 40}');
	explorer.press('pagedown');
	await explorer.until(
		({text}) =>
			text.includes('POST /v1/finetune') &&
			text.includes('"dataset_id": "local/folding"') &&
			text.includes('"steps": 40') &&
			text.includes('up to 1 h of training') &&
			text.includes('y launches it'),
		'the exact request and its price',
	);
	explorer.press('y');
	await explorer.until(
		({text}) =>
			text.includes('━ act on folding ━') &&
			/status +✓ completed/.test(text) &&
			/▸episodes +task:fold/.test(text) &&
			/model +\/.*checkpoints/.test(text) &&
			/project +tests/.test(text),
		'the job, ended, with its model, project and filter',
	);
	explorer.press('j', 'j', 'j');
	await explorer.until(({text}) => /▸model +\/.*checkpoints/.test(text), 'the link to the model');
	explorer.press('enter');
	await explorer.until(
		({text}) => text.includes('vla_model') && /made by +act on folding/.test(text),
		'the model',
	);
	explorer.press('esc');
	await explorer.until(({text}) => text.includes('━ act on folding ━'), 'the job again');
	explorer.press('g', 'enter');
	await explorer.until(
		({rows, text}) => rows[1]?.includes('task:fold') && text.includes('cups') && text.includes('plates'),
		'the episodes that it came from',
	);
	explorer.press('q');
	expect((await explorer.untilExit()).code).toBe(0);
}, 120_000);
