import {readFile, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {expect, test} from 'vitest';
import {programHome} from '../commands/support/program.ts';
import {explore} from '../pty/support.ts';
import type {PtyProgram, Screen} from '../support/pty.ts';
import {standIn} from '../support/trainer/stand-in.ts';

const home = programHome();
const env = {LAKESCOPE_TRAINER: standIn};
const page = path.resolve('README.md');
/** What lies between is taken anew. */
const begin = '<!-- screens: npm run screens -->';
const end = '<!-- end of screens -->';
const deadlineMs = 60_000;

type Shot = {readonly title: string; readonly size: string; readonly text: string};

/** Ids and paths of this run, which are others at every run, as the same letters. */
const steady = (text: string) =>
	text
		.replaceAll(home.root, '~')
		.replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, id => 'x'.repeat(id.length));

async function api(method: string, route: string, body: object): Promise<{project_id: string}> {
	const input = home.at('body.json');
	await writeFile(input, JSON.stringify(body));
	const {code, stdout, stderr} = await home.run(['api', method, route, '--sample', '--input', input], env);
	expect(code, stderr).toBe(0);
	return JSON.parse(stdout) as {project_id: string};
}

/** A job of the stand-in trainer that stays at its 25th step. */
async function launchJob(dataset: string, camera: string): Promise<void> {
	const {project_id} = await api('POST', '/v1/projects', {name: 'folding'});
	await api('POST', '/v1/finetune', {
		project_id,
		vla_type: 'act',
		dataset_id: dataset,
		name: 'waits at 25',
		hours: 1,
		camera_mappings: {[camera.split('.').at(-1) ?? '']: camera},
		vla_hyper_spec: {steps: 40, save_freq: 20, log_freq: 5},
	});
}

const isLive = ({text}: Screen) => text.includes('● live');

/** The form up to its last page, for the dataset that is selected. */
async function formShots(explorer: PtyProgram, shot: (title: string, screen: Screen) => void): Promise<void> {
	explorer.press('l');
	await explorer.until(({text}) => /▸.*folding/.test(text), 'the projects');
	explorer.press('enter');
	shot(
		'The form: VLA types',
		await explorer.until(({text}) => /▸ .*act /.test(text) && text.includes('Image keys: '), 'the types'),
	);
	explorer.press('enter');
	shot(
		'The form: cameras',
		await explorer.until(
			({text}) => text.includes('offered: enter confirms') && text.includes('is missing'),
			'the cameras, and that the sample has no videos',
		),
	);
	for (
		let confirmed = 0;
		explorer.screen().text.includes('offered: enter confirms') && confirmed < 8;
		confirmed++
	) {
		const before = explorer.screen().text;
		explorer.press('enter');
		await explorer.until(({text}) => text !== before, 'a camera more');
	}
	await explorer.until(({text}) => /▸ hours/.test(text), 'the training');
	explorer.type('4');
	explorer.press('pagedown');
	await explorer.until(({text}) => /▸ steps/.test(text), 'the hyperparameters');
	explorer.press('down');
	await explorer.until(({text}) => /▸ save_freq/.test(text), 'how often it saves');
	explorer.press('ctrl+u');
	explorer.type('500');
	shot(
		'The form: hyperparameters',
		await explorer.until(({text}) => /▸ save_freq +\* 500/.test(text), 'a change'),
	);
	explorer.press('pagedown');
	shot(
		'The form: the request',
		await explorer.until(({text}) => text.includes('y launches it'), 'the request'),
	);
	explorer.press('ctrl+r', 'ctrl+x');
	await explorer.until(({text}) => !text.includes('Launch a fine-tune'), 'the form closed');
}

test('the screens of the README', async () => {
	const shots: Shot[] = [];
	const first = explore(home, ['--sample'], {cols: 120, rows: 40, env, deadlineMs});
	await first.until(isLive, 'the sample');
	const sample = async () => (await home.run(['api', 'GET', '/local/v1/sample', '--sample'], env)).stdout;
	await expect.poll(sample, {timeout: deadlineMs, interval: 1000}).toContain('"ready"');
	const {code, stdout} = await home.run(['datasets', '--sample', '--json'], env);
	expect(code).toBe(0);
	const {items} = JSON.parse(stdout) as {items: {path: string; subtype: string}[]};
	const dataset = items.map(({path: name}) => name).toSorted()[0] ?? '';
	const keys = await home.run(
		['api', 'GET', `/v1/datasets/${dataset.split('/').at(-1)}/image-keys`, '--sample'],
		env,
	);
	const [camera = ''] = (JSON.parse(keys.stdout) as {image_keys: string[]}).image_keys;
	await launchJob(dataset, camera);
	first.press('q');
	await first.untilExit();

	for (const [cols, rows] of [
		[80, 24],
		[120, 40],
	] as const) {
		const explorer = explore(home, ['--sample'], {cols, rows, env, deadlineMs});
		const shot = (title: string, screen: Screen) =>
			shots.push({title, size: `${cols}×${rows}`, text: steady(screen.text)});
		await explorer.until(isLive, 'the sample');
		explorer.press('4', '/');
		explorer.type(dataset.split('/').at(-1) ?? '');
		explorer.press('enter');
		await explorer.until(({text}) => text.includes(`▸${dataset}`), 'the dataset in the list');
		await formShots(explorer, shot);
		explorer.press('enter');
		shot(
			'A dataset',
			await explorer.until(
				({text}) => text.includes(`━ ${dataset} ━`) && text.includes('Metadata'),
				'the dataset',
			),
		);
		explorer.press('3');
		await explorer.until(({text}) => /▸waits at 25/.test(text), 'the job in the list');
		explorer.press('enter');
		shot(
			'A job',
			await explorer.until(
				({text}) => /step +25 of 40/.test(text) && /━ waits at 25 ━/.test(text),
				'the job',
			),
		);
		explorer.press(':');
		explorer.type('lau');
		shot(
			'The palette',
			await explorer.until(
				({text}) => text.includes('━ Command ━') && text.includes('▸ launch one like it'),
				'the palette',
			),
		);
		explorer.press('esc');
		await explorer.until(({text}) => !text.includes('━ Command ━'), 'the palette closed');
		explorer.press('q');
		await explorer.untilExit();
	}

	const titles = [...new Set(shots.map(({title}) => title))];
	const sections = titles.flatMap(title => [
		`<details><summary>${title}</summary>`,
		'',
		...shots
			.filter(shot => shot.title === title)
			.flatMap(({size, text}) => [`${size}:`, '', '```', text.trimEnd(), '```', '']),
		'</details>',
		'',
	]);
	const text = await readFile(page, 'utf8');
	const [before, after] = [text.indexOf(begin), text.indexOf(end)];
	expect(after).toBeGreaterThan(before);
	const kept = [text.slice(0, before + begin.length), text.slice(after)];
	await writeFile(page, kept.join(`\n\n${sections.join('\n')}\n`));
});
