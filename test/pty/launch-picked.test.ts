import {expect, test} from 'vitest';
import {programHome} from '../commands/support/program.ts';
import {writeLerobotDataset} from '../support/lerobot-dataset.ts';
import type {Screen} from '../support/pty.ts';
import {standIn} from '../support/trainer/stand-in.ts';
import {fillComposed} from './support/launch-form.ts';
import {explore, isFresh} from './support.ts';

const home = programHome();
const lake = home.at('lake');
const env = {LAKESCOPE_TRAINER: standIn, LAKESCOPE_JOB_END_MS: '300'};
const camera = 'observation.images.front';

test('a job on episodes picked one by one leads back to them, as do its dataset and its episodes, and to another like it', async () => {
	for (const [name, episodes] of [
		['cups', 3],
		['plates', 2],
	] as const) {
		const folder = home.at('recordings', name);
		const each = {tasks: ['fold'], frames: 30};
		await writeLerobotDataset(folder, {cameras: [camera], episodes: Array(episodes).fill(each)});
		expect(await home.run(['ingest', folder, '--lake', lake], env)).toMatchObject({code: 0});
	}
	const explorer = explore(home, ['--lake', lake], {cols: 120, rows: 40, env});
	await explorer.until(screen => isFresh(screen) && screen.text.includes('plates'), 'the episodes');
	explorer.press('j', 'space', 'G', 'space');
	await explorer.until(({text}) => /2 episodes/.test(text), 'two, picked');
	explorer.press('l');
	await explorer.until(
		({text}) => text.includes('These 2 episodes come from 2') && text.includes('compose as'),
		'why they are to be composed',
	);
	await fillComposed(explorer, {name: 'chosen', camera});
	explorer.press('pagedown', 'pagedown');
	await explorer.until(
		({text}) => text.includes('"dataset_id": "local/chosen"') && text.includes('y launches'),
		'the request',
	);
	explorer.press('y');
	await explorer.until(
		({text}) => text.includes('━ act on chosen ━') && /▸sources +2 episodes, picked one by one/.test(text),
		'the job, and what it was made of',
	);
	explorer.press('enter');
	/** What was picked is marked, and nothing else is. */
	const isBack = ({rows, text}: Screen) =>
		(rows[1]?.includes('dataset:cups,plates') ?? false) &&
		text.includes('of 7') === false &&
		rows.filter(row => /▣ +\d/.test(row)).length === 3 &&
		/▣ +1 +cups/.test(text) &&
		/▣ +1 +plates/.test(text);
	await explorer.until(isBack, 'the two episodes');

	explorer.press('esc');
	await explorer.until(({text}) => !text.includes('▣ 2 episodes'), 'nothing selected');
	explorer.press('4');
	await explorer.until(({text}) => /▸local\/chosen/.test(text), 'the datasets');
	explorer.press('enter');
	await explorer.until(
		({text}) => /▸episodes +2 episodes/.test(text) && /sources +2 episodes in other datasets/.test(text),
		'the dataset, and what it was made of',
	);
	explorer.press('j', 'enter');
	await explorer.until(isBack, 'the same two');

	explorer.press('4', 'e');
	await explorer.until(
		({rows, text}) => (rows[1]?.includes('dataset:chosen') ?? false) && /▸ +0 +chosen/.test(text),
		'its episodes',
	);
	explorer.press('P');
	await explorer.until(
		({rows, text}) => (rows[1]?.includes('dataset:cups index:1') ?? false) && /▸▣? +1 +cups/.test(text),
		'the one that the first was made of',
	);

	explorer.press('3', 'l');
	await explorer.until(
		({text}) => /▸ hours +1/.test(text) && text.includes('✓cameras') && text.includes('✓training'),
		'one like it, with nothing to be said again',
	);
	explorer.press('pagedown', 'pagedown');
	const isWhole = ({text}: Screen) =>
		text.includes('"dataset_id": "local/chosen"') &&
		text.includes('"hours": 1,') &&
		text.includes('y launches');
	await explorer.until(isWhole, 'the same request');
	explorer.press('t');
	await explorer.until(({text}) => text.includes('Trial launched'), 'the trial');
	explorer.type(':draft');
	await explorer.until(({text}) => /▸ ?resume the fine-tune draft/.test(text), 'the draft in the palette');
	explorer.press('enter');
	await explorer.until(({text}) => /▸ ✓ tests/.test(text), 'the draft');
	explorer.press(...Array<string>(6).fill('pagedown'));
	await explorer.until(isWhole, 'the real one');
	explorer.press('ctrl+x');
	explorer.press('q');
	await explorer.untilExit();
}, 90_000);
