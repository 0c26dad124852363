import {expect, test} from 'vitest';
import {OfferDialog} from '../../../source/panes/activity/offer-dialog.tsx';
import {dialogOf, type Size, widths} from '../../support/dialog.tsx';

const folders = Array.from({length: 12}, (_, index) => `~/datasets/arm-${index}`);

function offered(taken: string[][], width = 80) {
	const take = async (chosen: readonly string[]) => void taken.push([...chosen]);
	const offer = {folders, nameOf: (folder: string) => folder, place: '~/datasets', take};
	return dialogOf('offer', (size: Size) => <OfferDialog {...size} offer={offer} />, {width});
}

test.each(widths)('%i columns: one of the datasets found is ingested', async width => {
	const taken: string[][] = [];
	const {pane, closed} = await offered(taken, width);
	await pane.until(/12 datasets━[\s\S]*Datasets found under[\s\S]*▸ .*arm-0/);
	pane.press('j');
	await pane.until(/▸ .*arm-1(?!\d)/);
	pane.press('enter');
	await closed();
	expect(taken).toEqual([['~/datasets/arm-1']]);
});

test('all of them are ingested, the ones below the screen too', async () => {
	const taken: string[][] = [];
	const {pane, closed} = await offered(taken);
	await pane.until('▸');
	pane.press('a');
	await closed();
	expect(taken).toEqual([folders]);
});

test('the last one is scrolled to, and esc ingests nothing', async () => {
	const taken: string[][] = [];
	const {pane, closed} = await offered(taken);
	await pane.until('▸');
	pane.press('G');
	await pane.until(/▸ .*arm-11/);
	pane.press('esc');
	await closed();
	expect(taken).toEqual([]);
});
