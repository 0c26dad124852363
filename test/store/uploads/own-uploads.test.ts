import {expect, test} from 'vitest';
import {createStore} from 'zustand/vanilla';
import type {LocalKnowledge} from '../../../source/store/queries/local-document.ts';
import {WorkList} from '../../../source/store/state/work.ts';
import {OwnUploads} from '../../../source/store/uploads/own-uploads.ts';
import {soundCheck} from '../../support/upload-check.ts';

async function saidAtEnd(lake: {readonly sample: boolean; readonly ownLake: string | undefined}) {
	const said: string[] = [];
	const uploads = new OwnUploads({
		uploader: {
			begin: '~/',
			ownLake: lake.ownLake,
			check: async () => soundCheck,
			send: async () => 'cups is in the lake: 2 episodes.',
		},
		local: createStore(
			(): LocalKnowledge => ({
				document: {
					service: 'lakescope',
					version: '0.1.0',
					abilities: ['uploads'],
					lake: {folder: '/l', sample: lake.sample, datasets: 1, episodes: 3},
				},
				isOther: false,
				ingests: [],
				sample: undefined,
			}),
		),
		work: new WorkList(),
		notify: (_, text) => said.push(text),
		changed: () => undefined,
	});
	await uploads.start(soundCheck);
	return {said, unseenLake: uploads.unseenLake};
}

test('over the sample, what was sent is said to be in the own lake, with the line that shows that', async () => {
	expect(await saidAtEnd({sample: true, ownLake: '~/lake'})).toEqual({
		unseenLake: '~/lake',
		said: [
			'cups is in the lake: 2 episodes. That is your own lake, not the sample: see it with lakescope --lake ~/lake',
		],
	});
});

test('where the lake that is sent to is shown, nothing is added', async () => {
	expect(await saidAtEnd({sample: false, ownLake: '~/lake'})).toEqual({
		unseenLake: undefined,
		said: ['cups is in the lake: 2 episodes.'],
	});
});
