import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {beforeEach, expect, onTestFinished, test, vi} from 'vitest';
import type {Explorer} from '../../../source/store/explorer.ts';
import {hosted} from '../../support/hosted.ts';
import {explorerOf, until} from '../support.ts';

beforeEach(async () => {
	const home = await mkdtemp(path.join(tmpdir(), 'lakescope-reviews-'));
	vi.stubEnv('XDG_STATE_HOME', home);
	onTestFinished(async () => {
		vi.unstubAllEnvs();
		await rm(home, {recursive: true, force: true});
	});
});

const stateAt = ({window}: Explorer, row: number) => {
	const found = window.result.getState().row(row);
	return typeof found === 'object' ? found.review_state : found;
};

const settle = (explorer: Explorer) =>
	until(explorer.window.result, ({rowCount, row}) => rowCount > 0 && typeof row(2) === 'object');

test('a service that takes no reviews: marks show here, are taken back, and are there in the next run', async () => {
	const service = await hosted({episodes: 300});
	const first = explorerOf(service, {}, {lake: service.url});
	await settle(first);
	const before = [0, 1, 2].map(row => stateAt(first, row));
	await first.reviews.mark('rejected');
	expect([0, 1].map(row => stateAt(first, row))).toEqual(['rejected', before[1]]);
	expect(first.state.getState().notices.at(-1)?.text).toContain('kept on this machine');

	first.selection.toggleAll();
	await first.reviews.mark('human_audited');
	first.state.getState().question?.agree();
	await until(first.window.result, () => stateAt(first, 0) === 'human_audited');
	expect([0, 1, 2].map(row => stateAt(first, row))).toEqual([
		'human_audited',
		'human_audited',
		'human_audited',
	]);
	await until(first.state, ({notices}) => notices.at(-1)?.text === '300 kept');
	await first.undo.undo();
	expect(first.state.getState().notices.at(-1)?.text).toBe('Undone: 300 kept.');
	expect([0, 1, 2].map(row => stateAt(first, row))).toEqual(['rejected', before[1], before[2]]);
	expect(service.requests.some(({path: asked}) => asked.includes('reviews'))).toBe(false);
	first.stop();

	const second = explorerOf(service, {}, {lake: service.url});
	await settle(second);
	await until(second.window.result, () => stateAt(second, 0) === 'rejected');
	expect(stateAt(second, 1)).toBe(before[1]);
});

test('read-only, nothing is marked, and it says so', async () => {
	const service = await hosted({episodes: 30});
	const explorer = explorerOf(service, {readOnly: true});
	await settle(explorer);
	const before = stateAt(explorer, 0);
	await explorer.reviews.mark('rejected');
	expect(stateAt(explorer, 0)).toBe(before);
	expect(explorer.state.getState().notices.at(-1)?.text).toContain('read-only');
});

test('many at once are marked after a question, which says how many and that it can be undone', async () => {
	const service = await hosted({episodes: 700});
	const explorer = explorerOf(service, {}, {lake: service.url});
	await settle(explorer);
	const before = stateAt(explorer, 1);
	explorer.selection.toggleAll();
	await explorer.reviews.mark('rejected');
	const {question, overlay} = explorer.state.getState();
	expect([overlay, question?.title]).toEqual(['question', 'Reject 700 episodes?']);
	expect(question?.lines.join(' ')).toContain('can be undone');
	expect(stateAt(explorer, 1)).toBe(before);
	question?.agree();
	await until(explorer.window.result, () => stateAt(explorer, 1) === 'rejected');
	await until(explorer.state, ({notices}) => notices.some(({text}) => text.startsWith('700 rejected')));
	await explorer.undo.undo();
	expect(stateAt(explorer, 1)).toBe(before);
});

test('a filter by reviews is said not to know the marks that are kept here, in this run and the next', async () => {
	const service = await hosted({episodes: 60});
	const said = ({state}: Explorer) =>
		state
			.getState()
			.notices.map(({text}) => text)
			.join(' ');
	const first = explorerOf(service, {}, {lake: service.url});
	await settle(first);
	first.filterBy({...first.state.getState().filter, review: 'rejected'});
	await until(first.window.result, ({isPrevious}) => !isPrevious);
	expect(said(first)).not.toContain('kept on this machine');
	first.filterBy({...first.state.getState().filter, review: undefined});
	await settle(first);
	await first.reviews.mark('rejected');
	expect(said(first)).toContain('filters do not know them');
	first.filterBy({...first.state.getState().filter, review: 'rejected'});
	await until(first.state, () =>
		/review:rejected matches the reviews of the service.*the mark that is kept/.test(said(first)),
	);
	first.stop();

	const second = explorerOf(service, {filter: first.state.getState().filter}, {lake: service.url});
	await until(second.state, () => said(second).includes('does not know the mark'));
});
