import type {ReactNode} from 'react';
import {keyWords} from '../../components/key-words.ts';
import {useScreen} from '../../components/screen.tsx';
import {useExplorer} from '../../hooks/explorer.tsx';
import type {Offer} from '../../store/explorer-session.ts';
import {overlaid} from '../../store/state/transitions.ts';
import {counted} from '../../terminal/quantity.ts';
import {ChooserDialog, useChooser} from '../list/chooser.tsx';

type OfferDialogProps = {readonly offer: Offer | undefined; readonly width: number; readonly height: number};

const widest = 76;
const category = 'Datasets found';

/** Offers the datasets found on this machine to a lake that is empty. */
export function OfferDialog({offer, ...size}: OfferDialogProps): ReactNode {
	return offer === undefined ? null : <MadeOffer {...size} offer={offer} />;
}

function MadeOffer({offer, ...size}: OfferDialogProps & {readonly offer: Offer}): ReactNode {
	const explorer = useExplorer();
	const screen = useScreen();
	const {folders, nameOf, place} = offer;
	const close = () => explorer.update(overlaid(undefined));
	const ingest = (chosen: readonly string[]) => {
		close();
		void offer.take(chosen);
	};
	const list = useChooser({
		id: 'offer',
		category,
		noun: 'dataset',
		items: () => folders,
		room: size.height - 8,
		bindings: ({current}) => [
			{
				keys: ['enter'],
				action: 'offer.take',
				description: 'ingest',
				category,
				footer: 0,
				run() {
					const folder = current();
					if (folder !== undefined) ingest([folder]);
				},
			},
			{
				keys: ['a'],
				action: 'offer.take-all',
				description: 'ingest all',
				category,
				footer: 1,
				run: () => ingest(folders),
			},
			{
				keys: ['esc', 'q'],
				action: 'offer.leave',
				description: 'not now',
				category,
				footer: 2,
				run: close,
			},
		],
	});
	const inner = Math.min(widest, size.width) - 2;
	const found = [
		`Datasets found under ${place}`,
		...keyWords(list.keyOf, [['offer.take', 'ingests one']]),
	].join('; ');
	return (
		<ChooserDialog
			list={list}
			title="Your lake is empty"
			aside={counted(folders.length, 'dataset')}
			widest={widest}
			{...size}
			head={[{segments: [' ', screen.cell(`${found}:`, inner - 2)]}]}
			row={(folder, width) => [' ', screen.cell(nameOf(folder), width - 2, {cut: 'start'})]}
		/>
	);
}
