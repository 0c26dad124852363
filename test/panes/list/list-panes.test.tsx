import {expect, test} from 'vitest';
import {DatasetsPane} from '../../../source/panes/artifacts/datasets-pane.tsx';
import {JobsPane} from '../../../source/panes/jobs/jobs-pane.tsx';
import {UploadsPane} from '../../../source/panes/uploads/uploads-pane.tsx';
import {viewed} from '../../../source/store/state/view-transitions.ts';
import {explorerOf} from '../../store/support.ts';
import {drawn} from '../../support/drawn.tsx';
import {hosted} from '../../support/hosted.ts';

const height = 8;
const panes = {jobs: JobsPane, uploads: UploadsPane, datasets: DatasetsPane};

async function shown(list: keyof typeof panes, width: number) {
	const explorer = explorerOf(await hosted({episodes: 40}));
	explorer.update(viewed(list));
	explorer.feeds[list]?.show(true);
	const Pane = panes[list];
	const look = {width, height};
	return {explorer, pane: drawn(<Pane {...look} focused />, {explorer, ...look, focused: list})};
}

test.each([40, 90])('%i columns: the jobs, the one that runs first', async width => {
	const {pane} = await shown('jobs', width);
	const rows = await pane.until(/running[\s\S]*failed[\s\S]*completed/);
	const states = rows.slice(1, 4).map(row => /running|failed|completed/.exec(row)?.[0]);
	expect(states).toEqual(['running', 'failed', 'completed']);
	expect(rows.every(row => row.length <= width)).toBe(true);
});

test('keys walk through the jobs, and enter opens the one at the pointer', async () => {
	const {explorer, pane} = await shown('jobs', 80);
	await pane.until(/1 of 3━[\s\S]*running[\s\S]*failed[\s\S]*completed/);
	pane.press('j');
	const rows = await pane.until('2 of 3━');
	expect(rows[2]).toMatch(/^▸.*failed/);
	pane.press('enter');
	await expect.poll(() => explorer.state.getState().lists.jobs.opened).toBe(true);
});

test.each([40, 90])(
	'%i columns: a service without a list of uploads says so, and how one is followed',
	async width => {
		const {pane} = await shown('uploads', width);
		const rows = await pane.until('No uploads.');
		expect(rows.join(' ').replace(/\s+/g, ' ')).toContain('no upload list');
		expect(rows.every(row => row.length <= width)).toBe(true);
	},
);

test.each([50, 90])('%i columns: the datasets of the account, walked through by keys', async width => {
	const {pane} = await shown('datasets', width);
	const rows = await pane.until('1 of 2━');
	expect(rows[1]).toMatch(/^▸.*ogress-of-folding +sarm_progress/);
	expect(rows.every(row => row.length <= width)).toBe(true);
	pane.press('G');
	expect((await pane.until('2 of 2━'))[2]).toMatch(/^▸.*fold-lab1\.00/);
});
