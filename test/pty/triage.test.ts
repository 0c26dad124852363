import {writeFile} from 'node:fs/promises';
import {expect, onTestFinished, test} from 'vitest';
import {programHome} from '../commands/support/program.ts';
import {startHostedService} from '../hosted-service/server.ts';
import {type ArmEpisode, armDataset, siblings} from '../service/support/arm-dataset.ts';
import type {Screen} from '../support/pty.ts';
import {standIn} from '../support/trainer/stand-in.ts';
import {explore, isFresh, isWhole} from './support.ts';

const home = programHome();
const env = {TERM: 'xterm-kitty', LAKESCOPE_TRAINER: standIn, LAKESCOPE_JOB_RETRY_MS: '50'};

/** Six that are unlike the others, each in its own way. */
const faults: ReadonlyMap<number, ArmEpisode> = new Map([
	[3, {seconds: 9}],
	[7, {reach: 0}],
	[12, {offset: 17}],
	[20, {reach: 130}],
	[31, {seconds: 11}],
	[44, {seconds: 1.2}],
]);

const fifty = siblings(50).map((episode, index) => ({...episode, ...faults.get(index)}));

const isTriage = (screen: Screen) =>
	isWhole(screen) && screen.rows[1]?.includes('worst first, compared with siblings');

/** Index, mark and reason of the rows in the table. */
function tableOf({rows}: Screen) {
	const head = rows.find(line => /R[━─]+why/.test(line)) ?? '';
	const [mark, why] = [head.indexOf('R━'), head.indexOf('why')];
	return rows.flatMap(line => {
		const [, index, dataset] = /[│┤][▸▹ ] +(\d+) +(\S+) /.exec(line) ?? [];
		if (index === undefined) return [];
		return [{index: Number(index), dataset, mark: line.charAt(mark) || ' ', why: line.slice(why).trim()}];
	});
}

/** The texts that the output would put on a clipboard. */
function copies(output: string): readonly string[] {
	const [, ...found] = output.split('\u001b]52;c;');
	return found.map(rest => Buffer.from(rest.split('\u0007')[0] ?? '', 'base64').toString());
}

test('a folder of two datasets is ingested, and opens with the worst first and the fault of each', async () => {
	const lake = home.at('lake-two');
	await armDataset(home.at('two', 'fold'), fifty);
	await armDataset(
		home.at('two', 'push'),
		siblings(20).map((episode, index) => (index === 5 ? {...episode, seconds: 12} : episode)),
	);
	const explorer = explore(home, ['.', '--lake', lake], {cols: 120, rows: 40, env, cwd: home.at('two')});
	const screen = await explorer.until(
		shown =>
			isTriage(shown) &&
			shown.rows[1]?.includes('7 suspect') &&
			shown.text.includes('dataset:fold,push') &&
			/─Tags .*\n ▣ suspect +7 /.test(shown.text) &&
			tableOf(shown).length === 7,
		'both datasets, the worst first',
	);
	const output = explorer.output();
	expect(output).toMatch(/1\/2 fold {2}\S.* {2}[▓░]{12,20} \d+\/\d+ \w+/);
	expect(output).toContain('2/2 push  ');
	expect(output).toContain('fold: 6 of 50 suspect');
	expect(output).toContain('push: 1 of 20 suspect');
	expect(output).toMatch(/ {2}31 {2}11 s; 90 % of siblings take 3\.8–4\.2 s/);
	const suspects = tableOf(screen);
	expect(suspects.map(({dataset, index}) => `${dataset} ${index}`).sort()).toEqual(
		[...faults.keys()]
			.map(index => `fold ${index}`)
			.concat('push 5')
			.sort(),
	);
	expect(suspects.every(({why}) => why.length > 5)).toBe(true);
	explorer.press('q');
	expect((await explorer.untilExit()).code).toBe(0);

	const again = explore(home, ['--lake', lake], {cols: 120, rows: 40, env});
	await again.until(isTriage, 'the order of the last run');
	again.press('t');
	await again.until(
		shown => shown.rows[1]?.includes('by dataset ↑') && /▸ +0 +fold/.test(shown.text),
		'no order',
	);
	again.press('H');
	await again.until(isTriage, 'the order before');
	again.press('O', 'j', 'j', 'enter');
	await again.until(
		shown => shown.rows[1]?.includes('by duration_s ↓') && /▸ +5 +push +12\.0/.test(shown.text),
		'the longest first',
	);
	again.press('q');
	await again.untilExit();
}, 120_000);

test('fifty are triaged by keys alone: four rejected, two kept, and the command deletes the four', async () => {
	const lake = home.at('lake-fifty');
	await armDataset(home.at('fifty'), fifty);
	const explorer = explore(home, [home.at('fifty'), '--lake', lake], {cols: 120, rows: 40, env});
	const first = await explorer.until(
		shown => isTriage(shown) && shown.rows[1]?.includes('6 suspect') && tableOf(shown).length === 6,
		'the six',
	);
	const six = tableOf(first).map(({index}) => index);
	expect(new Set(six)).toEqual(new Set(faults.keys()));
	const marks = ['-', '-', '+', '-', '+', '-'];
	explorer.press('enter');
	for (const [place, mark] of marks.entries()) {
		await explorer.until(
			shown => shown.text.includes(`━ fifty · ${six[place]} ━`),
			`suspect ${place + 1} opened`,
		);
		explorer.press(mark);
	}
	explorer.press('esc');
	const signs = {'-': '✗', '+': '✓'} as Record<string, string>;
	const isMarked = (shown: Screen, wanted: readonly string[]) =>
		wanted.every((sign, place) => tableOf(shown)[place]?.mark === sign);
	await explorer.until(
		shown => isMarked(shown, [...marks.map(mark => signs[mark] ?? '')]),
		'four rejected and two kept',
	);
	explorer.press('+');
	await explorer.until(shown => tableOf(shown)[5]?.mark === '✓', 'one too many');
	explorer.press('u');
	await explorer.until(
		shown =>
			tableOf(shown)[5]?.mark === '✗' && shown.text.includes(`Undone: Episode ${six[5]} of fifty kept.`),
		'it is taken back',
	);

	explorer.press('e', 'G', 'k', 'enter');
	await explorer.until(() => copies(explorer.output()).length === 1, 'the command copied');
	const rejected = six.filter((_, place) => marks[place] === '-').sort((a, b) => a - b);
	expect(copies(explorer.output())[0]?.trimEnd().split('\n')).toEqual([
		expect.stringMatching(/^# There is no lerobot-edit-dataset on this machine\. /),
		expect.stringMatching(
			/^# delete from local\/fifty: makes \S+\/local\/fifty_kept, which must not be there yet;/,
		),
		`lerobot-edit-dataset --repo_id local/fifty --root ${home.at('fifty')} --new_repo_id local/fifty_kept ` +
			`--operation.type delete_episodes --operation.episode_indices "[${rejected.join(', ')}]"`,
	]);
	explorer.press('q');
	await explorer.untilExit();
}, 120_000);

test('two keys reject all episodes that triage lists; a larger set is confirmed first, and u undoes the marks it names', async () => {
	const lake = home.at('lake-all');
	await armDataset(home.at('all'), fifty);
	const explorer = explore(home, [home.at('all'), '--lake', lake], {cols: 120, rows: 40, env});
	const marks = (shown: Screen) => tableOf(shown).map(({mark}) => mark);
	await explorer.until(
		shown => isTriage(shown) && shown.rows[1]?.includes('1 of 6 ') && tableOf(shown).length === 6,
		'the six suspects alone',
	);
	explorer.press('*', '-');
	await explorer.until(
		shown => shown.text.includes('6 rejected · u') && marks(shown).every(mark => mark === '✗'),
		'all six rejected',
	);
	explorer.press('esc');
	await explorer.until(({text}) => !text.includes('all that match'), 'nothing selected');
	explorer.press('t');
	await explorer.until(
		shown => isWhole(shown) && shown.rows[1]?.includes('1 of 50 ') && shown.rows[1].includes('by dataset'),
		'the healthy ones too',
	);
	explorer.press('*', '+');
	await explorer.until(
		({text}) => text.includes('Keep 50 episodes?') && text.includes('6 of them suspect, 44 healthy.'),
		'the question',
	);
	explorer.press('n');
	await explorer.until(({text}) => !text.includes('Keep 50 episodes?'), 'the question gone');
	explorer.press('t');
	await explorer.until(
		shown =>
			isTriage(shown) &&
			tableOf(shown).length === 6 &&
			shown.text.includes('▲ 44 hidden by the filter') &&
			marks(shown).every(mark => mark === '✗'),
		'what of the fifty the suspects hide',
	);
	explorer.press('+');
	await explorer.until(
		({text}) => text.includes('44 of them hidden by the current filter.'),
		'the question says what is hidden',
	);
	explorer.press('y');
	await explorer.until(
		shown => shown.text.includes('50 kept · u') && marks(shown).every(mark => mark === '✓'),
		'all kept',
	);
	for (const key of ['e', 'm']) {
		explorer.press(key);
		await explorer.until(
			({text}) =>
				/━ (Export the selection|Compose a dataset from).*50 episodes/.test(text) &&
				text.includes('44 of them hidden by the current filter.'),
			'it is said before they are handed over',
		);
		explorer.press('esc');
		await explorer.until(({text}) => !text.includes('of them hidden'), 'the dialog closed');
	}
	explorer.press('l');
	await explorer.until(
		({text}) => text.includes('44 of them hidden by the current filter.'),
		'it is said before they are trained on',
	);
	explorer.press('ctrl+x');
	await explorer.until(({text}) => !text.includes('of them hidden'), 'the form closed');
	explorer.press('esc');
	await explorer.until(({text}) => text.includes('The selection is dropped · u'), 'the selection dropped');
	explorer.press('u');
	await explorer.until(({text}) => text.includes('Selected again: all that match'), 'the newest first');
	explorer.press('u');
	await explorer.until(
		shown => shown.text.includes('Undone: 50 kept.') && marks(shown).every(mark => mark === '✗'),
		'then the marks of all',
	);
	explorer.press('u');
	await explorer.until(
		shown => shown.text.includes('Selected again') && marks(shown).every(mark => mark === '✗'),
		'then what was selected first',
	);
	explorer.press('u');
	await explorer.until(
		shown => shown.text.includes('Undone: 6 rejected.') && marks(shown).every(mark => mark === ' '),
		'then the marks of the six',
	);
	explorer.press('q');
	await explorer.untilExit();
}, 120_000);

test('a composed copy of a suspect is not counted beside it', async () => {
	const lake = home.at('lake-copies');
	await armDataset(home.at('copied'), fifty);
	await home.run(['ingest', '--lake', lake, home.at('copied')]);
	expect(await home.run(['compose', '--lake', lake, 'copy', 'tag:suspect'])).toMatchObject({code: 0});
	const explorer = explore(home, ['--lake', lake], {cols: 120, rows: 40, env});
	await explorer.until(shown => isFresh(shown) && shown.rows[1]?.includes('1 of 56 '), 'both datasets');
	explorer.press('t');
	const triage = await explorer.until(
		shown => isTriage(shown) && shown.rows[1]?.includes('6 suspect') && tableOf(shown).length === 6,
		'the six originals',
	);
	expect(triage.rows[1]).toContain('tag:suspect is:original');
	expect(tableOf(triage).map(({dataset}) => dataset)).toEqual(Array(6).fill('copied'));
	explorer.press('/', 'ctrl+u');
	explorer.type('tag:suspect dataset:copy');
	explorer.press('enter');
	await explorer.until(
		shown => shown.rows[1]?.includes('1 of 6 ') && tableOf(shown)[0]?.dataset === 'copy',
		'the copies are suspect too, for who asks',
	);
	explorer.press('q');
	await explorer.untilExit();
}, 120_000);

test('rejected episodes are left out of compositions and launches, with their number; an exclude list warns of its drawback', async () => {
	const lake = home.at('lake-left-out');
	await armDataset(home.at('left-out'), siblings(4));
	await home.run(['ingest', '--lake', lake, home.at('left-out')]);
	const explorer = explore(home, ['--lake', lake], {cols: 120, rows: 40, env});
	await explorer.until(shown => isFresh(shown) && shown.rows[1]?.includes('1 of 4 '), 'the four');
	explorer.press('-');
	await explorer.untilText('Episode 0 of left-out rejected · u');
	explorer.press('*', 'm');
	await explorer.untilText('1 of them rejected: excluded; ^R includes them.');
	explorer.press('ctrl+r');
	await explorer.untilText('1 of them rejected: included; ^R excludes them.');
	explorer.press('ctrl+r');
	await explorer.untilText('1 of them rejected: excluded');
	explorer.type('kept');
	explorer.press('enter');
	await explorer.untilText(
		'kept is being composed from 3 episodes of 1 dataset; 1 rejected one is left out.',
	);

	explorer.press('esc');
	await explorer.until(({text}) => !text.includes('all that match'), 'nothing selected');
	explorer.press('space', 'e', 'G');
	await explorer.untilText("Trainers normalize with the dataset's statistics, which still");
	explorer.press('enter');
	await explorer.untilText('composes');

	explorer.press('4');
	await explorer.until(
		({text}) => text.includes('local/kept') && text.includes('local/left-out'),
		'both datasets',
	);
	explorer.press(':');
	explorer.type('local/left-out');
	await explorer.until(({text}) => /▸ .*left-out/.test(text), 'the dataset found');
	explorer.press('enter');
	await explorer.until(({text}) => /▸episodes +4 episodes/.test(text), 'the dataset opened');
	explorer.press('l');
	await explorer.until(
		({text}) =>
			text.includes('without the rejected episodes first') &&
			text.includes('1 of 4 episodes rejected: excluded.') &&
			text.includes('compose as'),
		'what of it is rejected',
	);
	explorer.press('ctrl+x');
	explorer.press('q');
	await explorer.untilExit();
}, 120_000);

test('900 of 1,500 over five datasets are thinned to 100 a task, composed, and trained on', async () => {
	const lake = home.at('lake-many');
	const camera = 'observation.images.front';
	const tasks = ['Fold', 'Push', 'Pour', 'Wipe', 'Stack'];
	const robots = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'];
	for (const [robot, name] of robots.entries()) {
		const episodes = Array.from({length: 300}, (_, at) => ({
			seconds: 0.6 + ((at + robot) % 5) / 10,
			reach: 58 + (at % 7) + at / 100 + robot / 1000,
			task: tasks[at % 5] ?? '',
		}));
		await armDataset(home.at('many', name), episodes, {cameras: [camera]});
	}
	expect(await home.run(['ingest', home.at('many'), '--lake', lake], env)).toMatchObject({code: 0});
	const explorer = explore(home, ['--lake', lake, 'task:Fold,Push,Pour'], {cols: 120, rows: 40, env});
	await explorer.until(shown => isWhole(shown) && shown.rows[1]?.includes('1 of 900'), '900 of 1,500');
	explorer.press('*');
	await explorer.until(
		({text}) => /all that match: 900 episodes · 5 datasets/.test(text),
		'the 900 selected',
	);
	explorer.press('T');
	await explorer.until(({text}) => text.includes('keep: random 100 a task'), 'how much of each task');
	explorer.press('enter');
	await explorer.until(
		({text}) =>
			text.includes('random 100 a task seed 1: 300 of 900 episodes in 3 tasks are selected.') &&
			/▣ 300 episodes · 5 datasets/.test(text),
		'300 of them',
	);
	explorer.press('m');
	await explorer.until(({text}) => text.includes('Compose a dataset from 300 episodes'), 'the form');
	explorer.type('monday');
	explorer.press('enter');
	await explorer.until(({text}) => text.includes('The name monday is taken in this lake.'), 'the refusal');
	explorer.press('ctrl+u');
	explorer.type('best');
	explorer.press('enter');
	await explorer.until(
		({text}) => text.includes('best is being composed from 300 episodes of 5 datasets'),
		'the order taken',
	);
	explorer.press('2');
	await explorer.until(({text}) => /best +✓ finalized +generation 1, 300 episodes/.test(text), 'it is there');

	await writeFile(
		home.at('job.json'),
		JSON.stringify({
			project_id: JSON.parse((await api('POST', '/v1/projects', {name: 'best'})).stdout).project_id,
			vla_type: 'act',
			dataset_id: 'local/best',
			name: 'on the best',
			hours: 1,
			camera_mappings: {front: camera},
			vla_hyper_spec: {steps: 4, save_freq: 4, log_freq: 2},
		}),
	);
	const started = await home.run(
		['api', 'POST', '/v1/finetune', '--lake', lake, '--input', home.at('job.json')],
		env,
	);
	expect(started, started.stdout).toMatchObject({code: 0, stderr: ''});
	const {job_id} = JSON.parse(started.stdout) as {job_id: string};
	const {code, stdout} = await home.run(['finetune', job_id, '--watch', '--lake', lake], env);
	expect({code, stdout}).toMatchObject({code: 0});
	explorer.press('q');
	await explorer.untilExit();

	async function api(method: string, route: string, body: object) {
		await writeFile(home.at('body.json'), JSON.stringify(body));
		return home.run(['api', method, route, '--lake', lake, '--input', home.at('body.json')], env);
	}
}, 120_000);

test('a service without triage: loaded episodes are sorted here, marks stay here, and a message says so', async () => {
	const service = await startHostedService({episodes: 500});
	onTestFinished(() => service.close());
	const options = {cols: 120, rows: 30, service};
	const first = explore(home, [], options);
	await first.until(isFresh, 'the first episodes');
	first.press(':');
	first.type('reject');
	await first.until(({text}) => /▸ reject, here only/.test(text), 'what is said of the key');
	first.press('esc');
	await first.until(({text}) => !text.includes('━ Command ━'), 'the palette gone');
	first.press('t');
	await first.until(
		({rows}) => /1 of \d{3} · worst quality_score first, of the \d{3} read/.test(rows[1] ?? ''),
		'the worst of those that were read',
	);
	first.press('-');
	const marked = await first.until(
		shown => tableOf(shown)[0]?.mark === '✗' && /▸/.test(shown.rows[4] ?? ''),
		'the mark',
	);
	const [{index, dataset} = {index: 0, dataset: ''}] = tableOf(marked);
	first.press('m');
	await first.until(({text}) => text.includes('cannot compose datasets'), 'that none can be made here');
	first.press('esc');
	await first.until(({text}) => !text.includes('Compose a dataset'), 'the form gone');
	first.press('q');
	await first.untilExit();
	expect(service.requests.filter(({path}) => /reviews|local\/v1\/(explore|compose)/.test(path))).toEqual([]);

	const second = explore(home, [`dataset:${dataset} index:${index}`], options);
	await second.until(({text}) => /review +✗ rejected/.test(text), 'the mark of the run before');
	second.press('q');
	await second.untilExit();
}, 120_000);
