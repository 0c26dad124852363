import type {ComponentType} from 'react';
import {expect, test} from 'vitest';
import {DatasetDetail} from '../../../source/panes/artifacts/dataset-detail.tsx';
import {ModelDetail, ModelsPane} from '../../../source/panes/artifacts/models-pane.tsx';
import {ProjectDetail, ProjectsPane} from '../../../source/panes/artifacts/projects-pane.tsx';
import type {ListLook} from '../../../source/panes/list/list-pane.tsx';
import {listOpenedAt, viewed} from '../../../source/store/state/view-transitions.ts';
import {identity} from '../../hosted-service/identity.ts';
import type {HostedService} from '../../hosted-service/server.ts';
import {explorerOf} from '../../store/support.ts';
import {drawn, sizes} from '../../support/drawn.tsx';
import {hosted} from '../../support/hosted.ts';

type List = 'datasets' | 'models' | 'projects';
type Size = {readonly width: number; readonly height: number};

const lists: Readonly<Record<Exclude<List, 'datasets'>, ComponentType<ListLook>>> = {
	models: ModelsPane,
	projects: ProjectsPane,
};

const details: Readonly<Record<List, ComponentType<ListLook & {readonly beside: boolean}>>> = {
	datasets: DatasetDetail,
	models: ModelDetail,
	projects: ProjectDetail,
};

async function shown(
	list: keyof typeof lists,
	look: Size,
	prepare: (service: HostedService) => void = () => undefined,
) {
	const service = await hosted({episodes: 40});
	prepare(service);
	const explorer = explorerOf(service);
	explorer.update(viewed(list));
	explorer.feeds[list]?.show(true);
	const Pane = lists[list];
	return {explorer, pane: drawn(<Pane {...look} focused />, {explorer, ...look, focused: list})};
}

async function opened(list: List, id: string, look: Size) {
	const service = await hosted({episodes: 40});
	const explorer = explorerOf(service);
	explorer.update(viewed(list));
	explorer.feeds[list]?.show(true);
	explorer.update(listOpenedAt(list, id));
	const Detail = details[list];
	const pane = drawn(<Detail {...look} focused beside={false} />, {
		explorer,
		...look,
		focused: `${list}-detail`,
	});
	return {explorer, pane};
}

const dataset = identity('dataset', 0, 0);
const model = identity('model', 1, 0);
const project = identity('project', 0, 0);

/** On a busy machine a card whose layout takes too long shows as it is written. */
const cardText = /Recorded with (?:two cameras|\*\*two cameras\*\*)\./;

test.each(sizes)(
	'$width×$height: a dataset shows its fields, its job, its files and its card',
	async size => {
		const {pane} = await opened('datasets', dataset, size);
		const rows = await pane.until('━ acme/fold-lab1.00 ━');
		expect(rows.every(row => row.length <= size.width)).toBe(true);
		await pane.until(/kind +lerobot_v3[\s\S]*it went into +job/);
		// The end is where the card is, once it has come.
		const toEnd = () => {
			pane.press('G');
			return pane.rows().join('\n');
		};
		await expect.poll(toEnd).toMatch(cardText);
		const end = pane.rows().join('\n');
		expect(end).toMatch(/Files +main · 3 files\n/);
		expect(end).toMatch(/Card\n/);
	},
);

test('enter on a folder of the dataset unfolds it, and folds it again', async () => {
	const {pane} = await opened('datasets', dataset, {width: 90, height: 40});
	await pane.until(/meta\//);
	const at = async (name: string) => {
		for (let step = 0; step < 12; step++) {
			if (pane.rows().some(row => row.startsWith('▸') && row.includes(name))) return;
			const before = pane.rows().find(row => row.startsWith('▸'));
			pane.press('j');
			await expect.poll(() => pane.rows().find(row => row.startsWith('▸'))).not.toBe(before);
		}
		throw new Error(`the pointer never came to ${name}`);
	};
	await at('meta');
	expect(pane.rows().join('\n')).not.toContain('info.json');
	pane.press('enter');
	await pane.until('info.json');
	pane.press('enter');
	await expect.poll(() => pane.rows().join('\n')).not.toContain('info.json');
});

test.each(sizes)(
	'$width×$height: the models of the account, the newest first, each with its job',
	async size => {
		const {pane} = await shown('models', size);
		const rows = await pane.until('1 of 3━');
		expect(rows[1]).toMatch(/^▸acme\/reward-fold +reward_model +job 00000002 +\d+ d$/);
		expect(rows[3]).toMatch(/^ acme\/act-fold +vla_model/);
		expect(rows.every(row => row.length <= size.width)).toBe(true);
		pane.press('G');
		expect((await pane.until('3 of 3━'))[3]).toMatch(/^▸acme\/act-fold/);
	},
);

test('an account without models says how one is made', async () => {
	const {pane} = await shown('models', {width: 80, height: 8}, ({state}) => {
		state.models.length = 0;
	});
	const rows = await pane.until('No models.');
	expect(rows[2]).toBe(' A completed fine-tune creates a model.');
});

test.each(sizes)('$width×$height: a model shows what made it, and enter goes to that job', async size => {
	const {explorer, pane} = await opened('models', model, size);
	const rows = await pane.until(/made by +job/);
	expect(rows[0]).toContain('━ acme/pi05-cups ━');
	expect(rows.join('\n')).toMatch(/steps +40000/);
	expect(rows.every(row => row.length <= size.width)).toBe(true);
	pane.press('enter');
	await expect.poll(() => explorer.state.getState().view).toBe('jobs');
});

test.each(sizes)('$width×$height: the projects of the account, and a key that creates one', async size => {
	const {explorer, pane} = await shown('projects', size);
	const rows = await pane.until('1 of 1━');
	expect(rows[1]).toMatch(/^▸folding/);
	expect(rows.every(row => row.length <= size.width)).toBe(true);
	pane.press('a');
	await expect.poll(() => explorer.state.getState().overlay).toBe('project');
});

test.each(sizes)('$width×$height: a project shows its jobs, and enter goes to its datasets', async size => {
	const {explorer, pane} = await opened('projects', project, size);
	const rows = await pane.until(/Jobs\n.*(running|failed|completed)/);
	expect(rows[0]).toContain('━ folding ━');
	expect(rows.every(row => row.length <= size.width)).toBe(true);
	await pane.until(/▸datasets +its jobs/);
	pane.press('enter');
	await expect.poll(() => explorer.state.getState().view).toBe('datasets');
	expect(explorer.state.getState().lists.datasets.terms).toEqual({project_id: project});
});
