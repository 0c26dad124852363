import {expect, test} from 'vitest';
import {programHome} from '../commands/support/program.ts';
import {type Fault, refused} from '../hosted-service/faults.ts';
import type {HostedService} from '../hosted-service/server.ts';
import {hosted} from '../support/hosted.ts';
import {writeLerobotDataset} from '../support/lerobot-dataset.ts';
import {standIn} from '../support/trainer/stand-in.ts';
import {fillComposed, fillHosted} from './support/launch-form.ts';
import {explore, isFresh} from './support.ts';

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
			text.includes('These 3 episodes come from 2: compose them first (m).') && text.includes('compose as'),
		'why they are to be composed',
	);
	await fillComposed(explorer, {name: 'folding', camera});
	explorer.press('pagedown');
	await explorer.until(
		({text}) => /▸ steps .*empty: the hours end the training/.test(text),
		'the steps, and the defaults',
	);
	explorer.type('40');
	await explorer.until(({text}) => /▸ steps +\* 40/.test(text), 'the steps, in a field of their own');
	explorer.press('down');
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
	explorer.press('pagedown');
	await explorer.until(
		({text}) =>
			text.includes('POST /v1/finetune') &&
			text.includes('"dataset_id": "local/folding"') &&
			text.includes('"steps": 40') &&
			text.includes('up to 1 h of training') &&
			text.includes('y launches'),
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
	await explorer.until(({text}) => /▸model +\/.*checkpoints/.test(text), 'the model link');
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

const create = 'POST /v1/finetune';
const orders = ({requests}: HostedService) =>
	requests.filter(({method, path}) => method === 'POST' && path === '/v1/finetune').length;

/** Carries the call out, and cuts the connection in the place of an answer. */
const doneUnsaid: Fault = async ({settle, response}) => {
	await settle();
	response.socket?.destroy();
};

test('a refusal comes back to its field; a request whose answer is lost makes one job, which then shows', async () => {
	const service = await hosted({episodes: 40});
	const before = new Set(service.state.jobs.keys());
	const explorer = explore(home, [], {cols: 80, rows: 24, service});
	await explorer.until(isFresh, 'the lake');
	await fillHosted(explorer, '168.1');
	await explorer.until(
		({text}) => text.includes('hours: must be at most 168') && !text.includes('y launches'),
		'the bound',
	);
	explorer.press('y', 'enter');
	await explorer.until(({text}) => /▸ hours +▲ 168\.1/.test(text), 'the field that is wrong');
	explorer.press('backspace', 'backspace', 'pagedown', 'pagedown');
	await explorer.until(
		({text}) => text.includes('"hours": 168,') && text.includes('y launches'),
		'a whole request',
	);
	expect(orders(service)).toBe(0);

	service.setFault(create, refused(404, 'Unknown project'));
	explorer.press('y');
	await explorer.until(
		({text}) => text.includes('1/7') && text.includes('Unknown project'),
		'the refusal at the projects',
	);
	service.setFault(create, doneUnsaid);
	explorer.press('enter', ...Array<string>(4).fill('pagedown'));
	await explorer.until(
		({text}) => text.includes('"hours": 168,') && text.includes('y launches'),
		'nothing lost',
	);
	explorer.press('y');
	const made = () => [...service.state.jobs.keys()].filter(id => !before.has(id));
	await explorer.until(
		({text}) => made().length === 1 && /━ act on \S+ ━/.test(text) && text.includes('from here'),
		'the one job',
	);
	expect(made()).toHaveLength(1);
	expect(orders(service)).toBe(2);
	explorer.press('q');
	expect((await explorer.untilExit()).code).toBe(0);
}, 120_000);

test('a refusal about the cameras shows on their page, and neither it nor a past 500 blocks the next attempt', async () => {
	const service = await hosted({episodes: 40});
	const explorer = explore(home, [], {cols: 100, rows: 30, service});
	await explorer.until(isFresh, 'the lake');
	explorer.press('4', 't');
	await explorer.until(({text}) => /▸acme\/\S+ +lerobot_v3 /.test(text), 'a dataset');
	explorer.press('l');
	await explorer.until(({text}) => /▸ +folding/.test(text), 'the projects');
	explorer.press('y');
	await explorer.untilText('Launch from the last page');
	explorer.press('ctrl+x');
	await explorer.until(({text}) => !text.includes('Launch a fine-tune'), 'the form closed');
	await fillHosted(explorer, '2');
	const said = 'camera_mappings does not fit this model';
	service.setFault(create, refused(400, said));
	explorer.press('y');
	await explorer.until(
		({text}) => text.includes('4/7') && text.includes(`The service refused it: ${said}`),
		'its words, at the cameras',
	);
	explorer.press('pagedown', 'pagedown', 'pagedown');
	await explorer.until(
		({text}) => text.includes(`camera_mappings: ${said}`) && text.includes('y launches'),
		'its words at the request, which can be sent once more',
	);
	explorer.press('pageup', 'pageup', 'pageup');
	await explorer.until(({text}) => /▸ front +✓/.test(text), 'the cameras again');
	explorer.press('down', 'right');
	await explorer.until(({text}) => /▸ wrist +\?/.test(text), 'another camera for the slot');
	explorer.press('enter', 'pagedown', 'pagedown');
	await explorer.until(
		({text}) => text.includes('y launches') && !text.includes('refused') && !text.includes(said),
		'nothing that was said of what was sent before',
	);

	service.setFault(create, refused(500, 'the scheduler is restarting'));
	explorer.press('y');
	await explorer.until(
		({text}) =>
			text.includes('The service refused this request') &&
			text.includes('the scheduler is restarting') &&
			text.includes('y launches'),
		'what the service said',
	);
	service.setFault(create);
	explorer.press('y');
	await explorer.until(({text}) => text.includes('from here'), 'the job');
	expect(orders(service)).toBe(3);
	explorer.press('q');
	await explorer.untilExit();
}, 120_000);

test('where there is no project yet, enter creates a default one and continues', async () => {
	const service = await hosted({episodes: 40});
	service.state.projects.clear();
	const explorer = explore(home, [], {cols: 100, rows: 30, service});
	await explorer.until(isFresh, 'the lake');
	explorer.press('4', 't');
	await explorer.until(({text}) => /▸acme\/\S+ +lerobot_v3 /.test(text), 'a dataset');
	explorer.press('l');
	await explorer.until(
		({text}) => /▸ new project/.test(text) && text.includes('enter creates "default"'),
		'a project is offered',
	);
	explorer.press('enter');
	await explorer.until(({text}) => /▸ +act /.test(text), 'the types');
	expect([...service.state.projects.values()]).toEqual(['default']);
	explorer.press('ctrl+r', 'ctrl+x');
	await explorer.until(({text}) => !text.includes('Launch a fine-tune'), 'the form closed');
	explorer.press('q');
	await explorer.untilExit();
}, 120_000);

test('a launch that is not possible says why when its key is pressed, and a page without choices offers no enter', async () => {
	const service = await hosted({episodes: 40});
	const explorer = explore(home, [], {cols: 100, rows: 30, service});
	await explorer.until(isFresh, 'the lake');
	await fillHosted(explorer, '169');
	await explorer.untilText('hours: must be at most 168');
	explorer.press('y');
	await explorer.untilText('Nothing was sent. hours: must be at most 168');
	explorer.press('enter');
	await explorer.until(({text}) => /▸ hours +▲ 169/.test(text), 'the field');
	explorer.press('backspace', 'backspace', 'backspace', '2', 'pagedown', 'pagedown');
	await explorer.until(
		({text, rows}) => text.includes('y launches') && !rows.at(-1)?.includes('enter'),
		'a footer without enter',
	);
	explorer.press('enter');
	await explorer.untilText('line is read-only');
	expect(orders(service)).toBe(0);
	explorer.press('ctrl+x');
	await explorer.until(({text}) => !text.includes('Launch a fine-tune'), 'the form closed');
	explorer.press('q');
	await explorer.untilExit();
}, 120_000);

test('where the service dies before it answers, the outcome is unknown, nothing is sent again, and the job list settles it', async () => {
	const service = await hosted({episodes: 40});
	const before = service.state.jobs.size;
	const explorer = explore(home, [], {cols: 100, rows: 30, service, deadlineMs: 60_000});
	await explorer.until(isFresh, 'the lake');
	await fillHosted(explorer, '2');
	const hidden = [...service.state.jobItems];
	service.setFault(create, async exchange => {
		await doneUnsaid(exchange);
		// The list tells of it late, as one that is put together now and then does.
		service.setFault('GET /v1/jobs/list', ({send}) => send({status: 200, json: {items: hidden}}));
	});
	explorer.press('y');
	await explorer.until(
		({text}) => text.includes('Outcome unknown') && text.includes('r refreshes the list'),
		'the unknown outcome',
	);
	explorer.press('y', 't', 'enter');
	service.setFault('GET /v1/jobs/list');
	explorer.press('r');
	const made = () => [...service.state.jobs.keys()].slice(before);
	await explorer.until(
		({text}) => made().length === 1 && /━ act on \S+ ━/.test(text) && text.includes('from here'),
		'the job',
	);
	expect(service.state.jobs.size).toBe(before + 1);
	expect(orders(service)).toBe(1);
	explorer.press('q');
	await explorer.untilExit();
}, 120_000);

test('a draft outlives the program; read-only, no form opens', async () => {
	const service = await hosted({episodes: 40});
	const first = explore(home, [], {cols: 60, rows: 20, service});
	await first.until(isFresh, 'the lake');
	await fillHosted(first, '12.5');
	first.press('ctrl+x');
	await first.until(({text}) => !text.includes('Launch a fine-tune'), 'the form closed');
	first.press('q');
	expect((await first.untilExit()).code).toBe(0);

	const second = explore(home, [], {cols: 80, rows: 24, service});
	await second.until(({text}) => /(● live|◐ polling)/.test(text) && text.includes('▸'), 'the lake again');
	second.press('4', 't');
	await second.until(
		({text}) => /lerobot_v3, newest first · 1 of /.test(text) && /▸acme\/\S+ +lerobot_v3 /.test(text),
		'the datasets',
	);
	second.press('l');
	await second.until(({text}) => /▸ ✓ folding/.test(text), 'the project of the draft');
	second.press(...Array<string>(5).fill('pagedown'));
	await second.until(
		({text}) => text.includes('"hours": 12.5') && text.includes('y launches'),
		'all of the draft',
	);
	second.press('ctrl+x', 'W', 'l');
	await second.until(
		({text}) => text.includes('Nothing is changed while') && !text.includes('Launch a fine-tune'),
		'the refusal',
	);
	second.press('q');
	await second.untilExit();
	expect(orders(service)).toBe(0);
}, 120_000);
