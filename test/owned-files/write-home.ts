import {cpSync, mkdirSync, readdirSync, writeFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {programHome} from '../commands/support/program.ts';
import {fillComposed} from '../pty/support/launch-form.ts';
import {explore, isFresh} from '../pty/support.ts';
import {writeLerobotDataset} from '../support/lerobot-dataset.ts';
import {standIn} from '../support/trainer/stand-in.ts';

/**
 * Writes the home of a person who used this version of the program: configuration, key, lake with an upload, a composed
 * dataset, a job and reviews, the explorer's state and cache, a saved view, exported filters and links.
 * Run by hand, once a version whose files differ (see README.md here); it is not part of the suite.
 */
const home = programHome();
const camera = 'observation.images.front';
const env = {LAKESCOPE_TRAINER: standIn, LAKESCOPE_JOB_RETRY_MS: '50', LAKESCOPE_JOB_END_MS: '300'};
const fold = {tasks: ['fold'], frames: 30};
const slow = {tasks: ['fold'], frames: 150};
const pick = {tasks: ['pick'], frames: 30};

test('a home is written', async () => {
	mkdirSync(home.at('config', 'lakescope'), {recursive: true});
	writeFileSync(
		home.at('config', 'lakescope', 'config.json'),
		JSON.stringify(
			{
				profile: 'here',
				profiles: {
					here: {},
					lab: {
						url: 'https://lake.example.com',
						account: '0190c3a1-7b1e-7c3d-9a55-2f1f0f5e7a10',
						readOnly: true,
					},
				},
				trainer: 'lerobot-train',
				bell: false,
				title: true,
				doubt: {siblings: 8, whole: 3, channel: 5},
				keys: {'episodes.next': ['ctrl+n', 'down'], 'review.reject': ['ctrl+k', '-']},
				mouse: false,
				pictures: 'blocks',
			},
			null,
			'\t',
		),
	);
	for (const [name, episodes] of [
		['cups', [fold, pick, fold, fold, fold, fold, fold, fold, fold, fold, slow]],
		['plates', [pick, fold]],
	] as const) {
		const folder = home.at('recordings', name);
		await writeLerobotDataset(folder, {cameras: [camera], episodes: [...episodes]});
		expect(await home.run(['ingest', folder], env)).toMatchObject({code: 0});
	}
	await writeLerobotDataset(home.at('recordings', 'bowls'), {cameras: [camera], episodes: [fold, fold]});
	const upload = await home.run(['upload', home.at('recordings', 'bowls')], env);
	console.log(upload);
	expect(upload.code).toBe(0);

	const explorer = explore(home, ['task:fold'], {cols: 120, rows: 40, env, deadlineMs: 40_000});
	await explorer.until(screen => isFresh(screen) && screen.text.includes('cups'), 'the episodes');
	explorer.press('ctrl+k');
	await explorer.until(
		({text}) => /▸ +1 +bowls/.test(text) && text.includes('take the mark back'),
		'a rejected one',
	);
	explorer.press('ctrl+n', '+');
	await explorer.until(({text}) => /▸ +2 +cups/.test(text), 'a kept one');
	explorer.press('V');
	await explorer.untilText('s saves the current filter');
	explorer.press('s');
	await explorer.untilText('Save this view');
	explorer.type('folds');
	explorer.press('enter');
	await explorer.until(({text}) => /folds +task:fold/.test(text), 'the view, saved');
	explorer.press('esc');
	await explorer.until(({text}) => !text.includes('Saved views'), 'the list closed');
	explorer.press('t');
	await explorer.until(({text}) => text.includes('worst first'), 'the suspects');
	explorer.press('V');
	await explorer.untilText('s saves this view');
	explorer.press('s');
	await explorer.untilText('Save this view');
	explorer.type('worst');
	explorer.press('enter');
	await explorer.until(
		({text}) => /worst +/.test(text) && /Saved views/.test(text),
		'the second view, saved',
	);
	explorer.press('esc');
	await explorer.until(({text}) => !text.includes('Saved views'), 'the list closed again');
	explorer.press('H');
	await explorer.until(({text}) => text.includes('by dataset'), 'the filter before');
	explorer.press('l');
	await explorer.until(({text}) => text.includes('compose as'), 'why they are composed');
	await fillComposed(explorer, {name: 'folding', camera});
	explorer.press('pagedown');
	await explorer.until(({text}) => /▸ steps/.test(text), 'the steps');
	explorer.press('down');
	await explorer.until(({text}) => /▸ save_freq +1000/.test(text), 'the defaults');
	explorer.press('ctrl+u');
	explorer.type('20');
	explorer.press('up', 'up');
	await explorer.until(({text}) => /▸ others/.test(text), 'the others');
	explorer.type('{"steps": 40}');
	explorer.press('pagedown');
	await explorer.until(({text}) => text.includes('y launches'), 'the request');
	explorer.press('y');
	await explorer.until(({text}) => /status +✓ completed/.test(text), 'the job, ended');
	explorer.press('1');
	await explorer.until(isFresh, 'the episodes again');
	explorer.press('q');
	expect((await explorer.untilExit()).code).toBe(0);

	const kept: Record<string, number> = {};
	for (const line of [
		'task:fold order:desc',
		'task:fold tier:retrainable duration_s>=1.5',
		'interface:so101_follower-30hz-5624',
		'review:unreviewed',
		'review:human_audited',
		'max(action.gripper.pos)>0',
		'dataset:cups "fold"',
		'tag:suspect',
	]) {
		const ran = await home.run(['episodes', line, '--json'], env);
		if (ran.code !== 0) console.log(line, ran.stderr);
		else kept[line] = (JSON.parse(ran.stdout) as {total: number}).total;
	}
	writeFileSync(home.at('filters.json'), JSON.stringify(kept, null, '\t'));
	for (const form of ['csv', 'jsonl', 'json']) {
		const ran = await home.run(['episodes', 'task:fold', `--${form}`], env);
		writeFileSync(home.at(`episodes.${form}`), ran.stdout);
	}
	for (const command of ['jobs', 'datasets', 'uploads', 'models', 'projects']) {
		const ran = await home.run([command, '--json'], env);
		writeFileSync(home.at(`${command}.json`), ran.stdout);
	}
	await expect.poll(() => readdirSync(home.at('run', 'lakescope'))).toEqual([]);
	const target = process.env.OWNED_HOME;
	if (target) cpSync(home.root, target, {recursive: true});
}, 180_000);
