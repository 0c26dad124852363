import {expect, test} from 'vitest';
import {datasetRows} from '../../../source/panes/finetune/choice-pages.ts';
import type {Page} from '../../../source/panes/finetune/form-page.ts';
import {selected} from '../../../source/store/selection/selection.ts';
import {clientOf, explorerOf, until} from '../../store/support.ts';
import {hosted} from '../../support/hosted.ts';

test('where part of a dataset is selected, the whole dataset is offered first', async () => {
	const service = await hosted({episodes: 200});
	const explorer = explorerOf(service);
	const {finetune: controller} = explorer;
	const [first, ...others] = service.state.datasets;
	if (first === undefined) throw new Error('no dataset');
	const {data} = await clientOf(service).explore({dataset_ids: [first.artifact_id], limit: 2});
	const picked = new Map(data.episodes.map(episode => [episode.episode_id, episode]));
	explorer.update(selected({by: 'hand', picked}));
	controller.openSelected();
	const {subject} = await until(controller.state, state => state.subject !== undefined);
	expect(subject).toMatchObject({episodes: 2n, datasets: [first.artifact_id]});
	const known = await until(controller.facts.known, ({datasets}) => datasets.state === 'read');
	const page: Page = {
		controller,
		state: controller.state.getState(),
		known,
		jobs: [],
		canCompose: true,
		keyOf: () => undefined,
		problems: [],
		refused: [],
	};
	const paths = (search: string) =>
		datasetRows(page, {value: id => (id === 'dataset.search' ? search : ''), set: () => undefined}).flatMap(
			row => (row.kind === 'choice' ? [row.label] : []),
		);
	const whole = others.filter(({subtype}) => subtype === 'lerobot_v3').map(({path}) => path);
	expect(paths('')[0]).toBe(first.path);
	expect([...paths('')].sort()).toEqual([first.path, ...whole].sort());
	// As the service lists them: the newest first.
	expect(paths('a')[0]).not.toBe(first.path);
	const choice = datasetRows(page, {value: () => '', set: () => undefined}).find(
		({kind}) => kind === 'choice',
	);
	if (choice?.kind === 'choice') choice.enter();
	expect(controller.state.getState().form.draft.dataset).toMatchObject({
		id: first.artifact_id,
		path: first.path,
	});
});
