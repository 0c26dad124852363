import {expect, test} from 'vitest';
import {programHome} from '../commands/support/program.ts';
import {dateAfter} from '../hosted-service/artifacts.ts';
import {hosted} from '../support/hosted.ts';
import {explore, isFresh} from './support.ts';

const home = programHome();

const uuidOf = (number: number) => `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;

test('ten thousand datasets are scrolled, searched by the service, sorted, and read to the last', async () => {
	const service = await hosted({episodes: 60});
	service.state.datasets = Array.from({length: 10_000}, (_, number) => ({
		artifact_id: uuidOf(number),
		subtype: number % 10 === 9 ? 'sarm_progress' : 'lerobot_v3',
		path: `acme/recording-${String(number).padStart(5, '0')}`,
		created_at: dateAfter(number / 100),
		updated_at: dateAfter(number / 100),
	}));
	const explorer = explore(home, [], {cols: 100, rows: 30, service});
	await explorer.until(isFresh, 'the lake');
	explorer.press('4');
	await explorer.until(
		({text}) => text.includes('1 of 10,000') && /▸acme\/recording-09999/.test(text),
		'the newest dataset',
	);
	explorer.send('j'.repeat(500));
	await explorer.until(
		({text}) => text.includes('501 of 10,000') && /▸acme\/recording-09499/.test(text),
		'five hundred rows down',
	);
	explorer.press('G');
	await explorer.until(
		({text}) => text.includes('10,000 of 10,000') && /▸acme\/recording-00000/.test(text),
		'the last dataset',
	);
	const lists = () => service.requests.filter(({path}) => path === '/v1/datasets/list').length;
	expect(lists()).toBeLessThan(40);

	explorer.press('t');
	await explorer.until(
		({text}) => text.includes('1 of 9,000') && text.includes('lerobot_v3, newest first'),
		'one type',
	);
	explorer.press('s');
	await explorer.until(
		({text}) => text.includes('oldest first') && /▸acme\/recording-00000/.test(text),
		'a sort',
	);
	explorer.press('/');
	await explorer.until(({rows}) => rows.some(row => row.startsWith(' / ')), 'the search');
	explorer.type('0123');
	await explorer.until(
		({text}) => /1 of 10\b/.test(text) && /▸acme\/recording-00123/.test(text),
		'what the service found',
	);
	explorer.press('enter', 'X');
	await explorer.until(({text}) => text.includes('1 of 10,000'), 'all again');
	explorer.press('q');
	expect((await explorer.untilExit()).code).toBe(0);
}, 60_000);

test('a dataset is opened with its jobs, files and card; enter goes into its job and on, esc comes back', async () => {
	const service = await hosted({episodes: 60});
	const explorer = explore(home, [], {cols: 120, rows: 40, service});
	await explorer.until(isFresh, 'the lake');
	const dataset = service.state.datasets.find(
		({jobs, subtype}) => jobs?.length === 1 && subtype === 'lerobot_v3',
	);
	if (dataset === undefined) throw new Error('no dataset has a job');
	explorer.press('4');
	await explorer.untilText('▸acme/');
	explorer.press('/');
	explorer.type(dataset.path);
	await explorer.until(({rows}) => rows.some(row => row.startsWith(`▸${dataset.path} `)), 'the dataset');
	explorer.press('enter', 'enter');
	const opened = await explorer.until(
		({text}) =>
			text.includes(`━ ${dataset.path} ━`) &&
			text.includes('it went into') &&
			text.includes('1.0 MiB') &&
			text.includes('Recorded with two cameras.'),
		'the dataset with its jobs, files and card',
	);
	expect(opened.text).toMatch(/episodes +in the lake/);

	explorer.press('j', 'enter');
	await explorer.until(
		({text}) => text.includes('As reported by the service') && /datasets +inputs and outputs/.test(text),
		'its job',
	);
	explorer.press('esc');
	await explorer.until(({text}) => text.includes(`━ ${dataset.path} ━`), 'the dataset again');
	explorer.press('g', 'enter');
	await explorer.until(
		({rows, text}) => rows[1]?.includes(`dataset:${dataset.artifact_id}`) && /▸ +\d/.test(text),
		'its episodes',
	);
	explorer.press('esc');
	await explorer.until(({text}) => text.includes(`━ ${dataset.path} ━`), 'the dataset once more');
	explorer.press('1');
	await explorer.until(({rows, text}) => rows[1]?.startsWith(' / ') && /▸ +\d/.test(text), 'the lake again');
	explorer.press('D');
	await explorer.until(({text}) => text.includes(`━ ${dataset.path} ━`), 'the dataset of an episode');
	explorer.press('q');
	expect((await explorer.untilExit()).code).toBe(0);
}, 60_000);

test('files on another data plane: the reason shows, and so does the rest of the dataset', async () => {
	const service = await hosted({episodes: 60});
	service.setFault('GET /v1/datasets/files', ({send}) =>
		send({status: 404, json: {detail: 'not on the lake data plane'}}),
	);
	const explorer = explore(home, [], {cols: 100, rows: 40, service});
	await explorer.until(isFresh, 'the lake');
	explorer.press('4');
	await explorer.untilText('▸acme/');
	explorer.press('enter');
	await explorer.until(
		({text}) =>
			text.includes('another data plane') &&
			text.includes('not on the lake data plane') &&
			/kind +sarm_progress/.test(text),
		'why there are no files',
	);
	explorer.press('l');
	await explorer.until(
		({text}) => text.includes('is sarm_progress,') && !text.includes('Launch a fine-tune'),
		'why nothing is trained on it',
	);
	explorer.press('e');
	await explorer.until(
		({text}) => text.includes('no episodes of its own') && /kind +sarm_progress/.test(text),
		'why there are no episodes to go to',
	);
	explorer.press('q');
	expect((await explorer.untilExit()).code).toBe(0);
}, 60_000);

test('a project is created once, though the answer was lost, and opened', async () => {
	const service = await hosted({episodes: 60});
	service.setFault('POST /v1/projects', async ({settle, response}) => {
		await settle();
		response.destroy();
	});
	const explorer = explore(home, [], {cols: 100, rows: 30, service});
	await explorer.until(isFresh, 'the lake');
	explorer.press('6');
	await explorer.untilText('▸folding');
	explorer.press('a');
	await explorer.untilText('New project');
	explorer.press('enter');
	await explorer.untilText('A project needs a name.');
	explorer.type('towels');
	await explorer.until(
		({text}) => text.includes('towels') && !text.includes('needs a name'),
		'the name, and nothing against it any more',
	);
	explorer.press('enter');
	await explorer.until(
		({text}) => text.includes('POST /v1/projects') && text.includes('{"name":"towels"}'),
		'the request',
	);
	explorer.press('y');
	await explorer.until(
		({text}) => text.includes('━ towels ━') && text.includes('No known jobs'),
		'the project',
	);
	expect([...service.state.projects.values()].filter(name => name === 'towels')).toHaveLength(1);
	explorer.press('q');
	expect((await explorer.untilExit()).code).toBe(0);
}, 60_000);

test('read-only, no project is created', async () => {
	const service = await hosted({episodes: 60});
	const explorer = explore(home, ['--read-only'], {cols: 100, rows: 30, service});
	await explorer.until(isFresh, 'the lake');
	explorer.press('6');
	await explorer.untilText('▸folding');
	explorer.press('a');
	await explorer.until(
		({text}) => text.includes('read-only') && !text.includes('New project'),
		'the refusal',
	);
	expect(service.requests.some(({method, path}) => method === 'POST' && path === '/v1/projects')).toBe(false);
}, 60_000);

test('lakescope open leads to a job, a model and an episode', async () => {
	const service = await hosted({episodes: 60});
	const [jobId = ''] = service.state.jobs.keys();
	const job = explore(home, ['open', `job:${jobId}`], {cols: 100, rows: 30, service});
	await job.until(({text}) => text.includes('As reported by the service') && text.includes(jobId), 'the job');
	job.press('q');
	await job.untilExit();

	const [model] = service.state.models;
	const opened = explore(home, ['open', `model:${model?.artifact_id}`], {cols: 100, rows: 30, service});
	await opened.until(
		({text}) => text.includes(`━ ${model?.path} ━`) && text.includes('made by'),
		'the model',
	);
	opened.press('q');
	await opened.untilExit();

	const [name = ''] = service.state.explorer.lake.datasets.values;
	const episode = explore(home, ['open', `episode:${name}/0`], {cols: 120, rows: 30, service});
	await episode.until(({text}) => text.includes('1 of 1 ·') && /▸ +0 /.test(text), 'the episode');
	episode.press('q');
	await episode.untilExit();
}, 60_000);

test('the palette runs an action by a part of its name, follows an id and goes to a dataset by its name', async () => {
	const service = await hosted({episodes: 60});
	const [jobId = ''] = service.state.augmentations.keys();
	const explorer = explore(home, [], {cols: 80, rows: 24, service});
	await explorer.until(isFresh, 'the lake');
	explorer.press(':');
	await explorer.until(
		({text}) => text.includes('━ Command ━') && /▸ open +Episodes +enter/.test(text),
		'the palette',
	);
	explorer.type('ordr');
	explorer.press('enter');
	await explorer.until(
		({rows, text}) => rows[1]?.includes('order:desc') && !text.includes('Command'),
		'the order',
	);
	explorer.press(':');
	explorer.type(`follow job:${jobId}`);
	await explorer.untilText('follow the job');
	explorer.press('enter');
	await explorer.until(
		({text}) => text.includes('━ Jobs ━') && /▸.*● running/.test(text),
		'the followed job',
	);
	explorer.press(':');
	explorer.type('progress');
	await explorer.until(
		({text}) => /▸ acme\/progress-of-folding +dataset/.test(text),
		'the dataset by its name',
	);
	explorer.press('enter');
	await explorer.until(({text}) => text.includes('━ acme/progress-of-folding ━'), 'the dataset');
	explorer.press('q');
	expect((await explorer.untilExit()).code).toBe(0);
}, 60_000);

test('messages can be read again, and read-only is switched on at once, off after a question', async () => {
	const service = await hosted({episodes: 60});
	const explorer = explore(home, [], {cols: 80, rows: 24, service});
	await explorer.until(isFresh, 'the lake');
	explorer.press('W');
	await explorer.until(({rows}) => rows[0]?.includes('READ-ONLY'), 'read-only in the header');
	explorer.press('!');
	await explorer.until(
		({text}) => text.includes('━ Messages ━') && /\d\d:\d\d:\d\d ● Read-only: changes are off/.test(text),
		'the message',
	);
	explorer.press('enter');
	await explorer.until(({text}) => !text.includes('━ Messages ━'), 'the messages closed');
	explorer.press('W');
	await explorer.untilText('Allow changes?');
	explorer.press('y');
	await explorer.until(({rows}) => !rows[0]?.includes('READ-ONLY'), 'changes allowed');
	explorer.press('q');
	expect((await explorer.untilExit()).code).toBe(0);
}, 60_000);

test('a dataset whose id no episode has is searched by its name, with a message, and the filter stays', async () => {
	const service = await hosted({episodes: 60});
	service.setFault('POST /v1/datasets/explore', async ({request, settle, send}) => {
		const {dataset_ids: ids} = request.body as {dataset_ids?: readonly string[]};
		const answer = await settle();
		if (!ids?.length || !('json' in answer)) return send(answer);
		send({...answer, json: {...(answer.json as object), episodes: [], total: 0}});
	});
	const explorer = explore(home, ['duration_s>0'], {cols: 120, rows: 30, service});
	await explorer.until(isFresh, 'the lake');
	await explorer.until(({rows}) => rows[1]?.includes('service order'), 'an order that nobody defined');
	explorer.press('4', 't');
	const {text} = await explorer.until(
		shown =>
			/lerobot_v3, newest first · 1 of /.test(shown.text) && /▸acme\/\S+ +lerobot_v3 /.test(shown.text),
		'the datasets',
	);
	const name = /▸acme\/(\S+) /.exec(text)?.[1] ?? '';
	explorer.press('e');
	await explorer.until(
		shown => shown.rows[1]?.includes(`duration_s>0 ${name}`) && isFresh(shown),
		'a search for its name beside the filter',
	);
	explorer.press('!');
	await explorer.until(
		shown =>
			shown.text.includes('No episode was found for acme/') &&
			shown.text.includes('This is a search for') &&
			shown.text.includes(`“${name}”`),
		'what was done instead',
	);
	explorer.press('esc');
	await explorer.until(shown => !shown.text.includes('━ Messages'), 'the messages closed');
	explorer.press('q');
	await explorer.untilExit();
}, 90_000);
