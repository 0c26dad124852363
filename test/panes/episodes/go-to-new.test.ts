import {expect, onTestFinished, test} from 'vitest';
import {goToNew} from '../../../source/panes/episodes/episodes-bindings.ts';
import {explorerOf, until} from '../../store/support.ts';
import {hosted} from '../../support/hosted.ts';

const hour = 3_600_000;

test('N shows the datasets added or changed since the last visit, and no others', async () => {
	const service = await hosted({episodes: 300});
	const now = Date.now();
	const [changed, ...others] = service.state.datasets;
	if (changed === undefined) throw new Error('the service has no dataset');
	const at = (ago: number) => new Date(now - ago).toISOString();
	service.state.datasets = [
		...others.map(dataset => ({...dataset, updated_at: at(30 * hour)})),
		{...changed, updated_at: at(hour)},
	];
	const explorer = explorerOf(service);
	const said = () => explorer.state.getState().notices.at(-1)?.text;
	await goToNew(explorer);
	expect(said()).toContain('First visit');

	explorer.remembered.looked({lookedAt: now - 5 * hour});
	explorer.listen();
	onTestFinished(() => explorer.stop());
	await until(explorer.activityMonitor.state, () => explorer.activityMonitor.since !== undefined);
	await goToNew(explorer);
	await until(explorer.window.result, ({question}) => question.dataset_ids?.[0] === changed.artifact_id);
	expect(explorer.state.getState().filter.datasets).toEqual([changed.artifact_id]);
	expect(said()).toBe('One dataset added or changed since your last visit, 5 h ago.');
});
