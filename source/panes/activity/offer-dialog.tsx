import {type ReactNode, useMemo} from 'react';
import {Dialog, type DialogRow} from '../../components/dialog.tsx';
import {keyWords, useKeyOf} from '../../components/key-words.ts';
import {useScreen} from '../../components/screen.tsx';
import {useExplorer} from '../../hooks/explorer.tsx';
import {useListMouse, useListPosition} from '../../hooks/list-position.ts';
import type {Binding} from '../../input/binding.ts';
import {useBindings} from '../../input/react.tsx';
import type {Offer} from '../../store/explorer-session.ts';
import {shownRows} from '../../store/state/list-location.ts';
import {overlaid} from '../../store/state/transitions.ts';
import {counted} from '../../terminal/quantity.ts';
import {movementBindings} from '../list/movement.ts';

type OfferDialogProps = {readonly offer: Offer | undefined; readonly width: number; readonly height: number};

const widest = 76;
const category = 'Datasets found';

/** The datasets found on this machine, for a lake that holds nothing yet. */
export function OfferDialog({offer, ...size}: OfferDialogProps): ReactNode {
	return offer === undefined ? null : <MadeOffer {...size} offer={offer} />;
}

function MadeOffer({offer, width, height}: OfferDialogProps & {readonly offer: Offer}): ReactNode {
	const explorer = useExplorer();
	const screen = useScreen();
	const {folders, place} = offer;
	const rows = Math.max(1, Math.min(folders.length, height - 8));
	const extent = {count: folders.length, height: rows};
	const {position, now, move} = useListPosition(extent);

	const bindings = useMemo<readonly Binding[]>(() => {
		const take = (chosen: readonly string[]) => {
			explorer.update(overlaid(undefined));
			void offer.take(chosen);
		};
		return [
			{
				keys: ['enter'],
				action: 'offer.take',
				description: 'ingest it',
				category,
				footer: 0,
				run() {
					const folder = folders[now().selected];
					if (folder !== undefined) take([folder]);
				},
			},
			{
				keys: ['a'],
				action: 'offer.take-all',
				description: 'ingest all',
				category,
				footer: 1,
				run: () => take(folders),
			},
			{
				keys: ['esc', 'q'],
				action: 'offer.leave',
				description: 'not now',
				category,
				footer: 2,
				run: () => explorer.update(overlaid(undefined)),
			},
			...movementBindings({
				name: 'offer',
				category,
				noun: 'dataset',
				move,
			}),
		];
	}, [explorer, offer, folders, now, move]);
	useBindings({id: 'offer', level: 'dialog', modal: true, bindings});

	const keyOf = useKeyOf(bindings);
	const {signs} = screen;
	const {selected} = position;
	const {from, to} = shownRows(position, extent);
	const area = useListMouse({
		id: 'offer',
		level: 'dialog',
		within: 'offer',
		head: 2,
		from,
		count: to,
		chosen: undefined,
		move,
	});
	const inner = Math.min(widest, width) - 2;
	const words = (text: string): DialogRow => ({segments: [' ', screen.cell(text, inner - 2)]});
	return (
		<Dialog
			title="Your lake is empty"
			aside={counted(folders.length, 'dataset')}
			width={Math.min(widest, width)}
			rows={[
				words(
					`${[`Datasets found under ${place}`, ...keyWords(keyOf, [['offer.take', 'takes one in']])].join('; ')}:`,
				),
				...folders.slice(from, to).map(
					(folder, row): DialogRow => ({
						segments: [
							` ${from + row === selected ? signs.pointer : ' '} `,
							screen.cell(folder, inner - 4, {cut: 'start'}),
						],
						look: from + row === selected ? 'selected' : 'plain',
					}),
				),
			]}
			screenWidth={width}
			screenHeight={height}
			area={area}
		/>
	);
}
