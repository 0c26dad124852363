import {expect, test} from 'vitest';
import {PicturesDialog} from '../../../source/panes/pictures/pictures-dialog.tsx';
import {encodePng} from '../../../source/picture/decode.ts';
import {overlaid} from '../../../source/store/state/transitions.ts';
import {explorerOf, until} from '../../store/support.ts';
import {drawn, sizes} from '../../support/drawn.tsx';
import {hosted} from '../../support/hosted.ts';
import {localDocument, recordLocal} from '../../support/recorded-local.ts';

const cameras = ['observation.images.front', 'observation.images.wrist'];

/** A frame of 4 × 2 pixels, white on the left and black on the right. */
const pixels = Uint8Array.from(
	[0, 1].flatMap(() => [255, 255, 0, 0].flatMap(value => [value, value, value])),
);

async function shown(look: {readonly width: number; readonly height: number}, hasFrames = true) {
	const service = await hosted({episodes: 40});
	const png = Buffer.from(await encodePng({width: 4, height: 2, data: pixels})).toString('base64');
	if (hasFrames) {
		recordLocal(service, {
			'/local/v1': localDocument(['frames']),
			'/local/v1/ingests': {items: []},
			'/local/v1/episodes/*/frames': ({query}: {query: {camera?: string; which?: string}}) => {
				const isBroken = query.camera === cameras[1] && query.which === 'last';
				return {
					episode_id: '00000000-0000-4000-8000-000000000001',
					cameras,
					camera: query.camera ?? cameras[0],
					which: query.which ?? 'first',
					source: isBroken ? null : 'video',
					png: isBroken ? null : png,
					problem: isBroken ? 'the video ends before it' : null,
				};
			},
		});
	}
	const explorer = explorerOf(service);
	await until(explorer.window.result, ({rowCount}) => rowCount === 40);
	await until(explorer.local.known, ({document, isOther}) => document !== undefined || isOther);
	explorer.update(overlaid('pictures'));
	return {explorer, pane: drawn(<PicturesDialog {...look} />, {explorer, ...look})};
}

test.each(sizes)(
	'$width×$height: the first and last picture of each camera, a missing one with its reason',
	async size => {
		const {pane} = await shown(size);
		const rows = await pane.until(
			/first · observation\.images\.front[\s\S]*last · observation\.images\.front/,
		);
		expect(rows.join('\n')).toContain('━ fold-lab1.00 · 0 ━');
		expect(rows.every(row => row.length <= size.width)).toBe(true);
		for (let step = 0; step < 3 && !pane.rows().join('\n').includes('the video ends'); step++)
			pane.press('j');
		await pane.until(/last · observation\.images\.wrist[\s\S]*the video ends before it/);
	},
);

test('n shows the pictures of the next episode, and esc closes them', async () => {
	const {explorer, pane} = await shown({width: 80, height: 24});
	await pane.until('━ fold-lab1.00 · 0 ━');
	pane.press('n');
	await pane.until('━ fold-lab1.00 · 1 ━');
	pane.press('esc');
	await expect.poll(() => explorer.state.getState().overlay).toBeUndefined();
});

test('a service without pictures says so', async () => {
	const {pane} = await shown({width: 80, height: 24}, false);
	await pane.until('The service has neither a thumbnail nor frames of it.');
});
