import {type ReactNode, useEffect, useMemo} from 'react';
import {useStore} from 'zustand';
import {Dialog, type DialogRow} from '../../components/dialog.tsx';
import {useScreen} from '../../components/screen.tsx';
import {useExplorer, useExplorerState, useLocal, useResult} from '../../hooks/explorer.tsx';
import {useListMouse} from '../../hooks/list-mouse.ts';
import {useListPosition} from '../../hooks/list-position.ts';
import type {Binding} from '../../input/binding.ts';
import {useBindings} from '../../input/react.tsx';
import {movedBy, settled} from '../../store/list-position.ts';
import {moved, overlaid} from '../../store/transitions.ts';
import {movementBindings} from '../movement.ts';
import {pictureLines} from './picture-lines.ts';

type PicturesDialogProps = {readonly width: number; readonly height: number};

const widest = 160;
const category = 'Pictures';

/** The pictures of the selected episode, over the panes. */
export function PicturesDialog({width, height}: PicturesDialogProps): ReactNode {
	const explorer = useExplorer();
	const screen = useScreen();
	const {pictures} = explorer;
	const rowCount = useResult(result => result.rowCount);
	const selected = useExplorerState(state => settled(state.position, {count: rowCount, height: 1}).selected);
	const row = useResult(result => (result.rowCount === 0 ? undefined : result.row(selected)));
	const episode = typeof row === 'object' ? row : undefined;
	const known = useStore(pictures.known);
	// Until then nobody knows whether the service has frames.
	const isServiceKnown = useLocal(({document, isOther}) => document !== undefined || isOther);
	useEffect(() => {
		if (episode !== undefined && isServiceKnown) pictures.show(episode);
	}, [pictures, episode, isServiceKnown]);
	useEffect(() => () => pictures.close(), [pictures]);

	const wide = Math.min(widest, width);
	const inner = wide - 2;
	const rows = Math.max(1, height - 4);
	const lines = useMemo(
		() => pictureLines(known, {screen, width: inner, rows}),
		[known, screen, inner, rows],
	);
	const extent = {count: Math.max(1, lines.length - rows + 1), height: 1};
	const {position, move} = useListPosition(extent);
	const bindings = useMemo<readonly Binding[]>(() => {
		const beside = (by: 1 | -1) => () => {
			const count = explorer.window.result.getState().rowCount;
			explorer.update(moved(from => movedBy(from, by, {count, height: 1})));
		};
		return [
			{
				keys: ['esc', 'i', 'q', 'enter'],
				action: 'pictures.close',
				description: 'close',
				category,
				footer: 1,
				run: () => explorer.update(overlaid(undefined)),
			},
			{
				keys: ['n', 'J'],
				action: 'pictures.next-episode',
				description: 'next episode',
				category,
				footer: 2,
				run: beside(1),
			},
			{
				keys: ['N', 'K'],
				action: 'pictures.previous-episode',
				description: 'previous',
				category,
				footer: 3,
				run: beside(-1),
			},
			...movementBindings({name: 'pictures', category, noun: 'line', move}),
		];
	}, [explorer, move]);
	useBindings({id: 'pictures', level: 'dialog', modal: true, bindings});

	const from = position.selected;
	const area = useListMouse({
		id: 'pictures',
		level: 'dialog',
		within: 'pictures',
		head: 1,
		from,
		count: lines.length,
		chosen: undefined,
		move,
	});
	const shown = lines.slice(from, from + rows).map((segments): DialogRow => ({segments}));
	const title =
		episode === undefined
			? 'Pictures'
			: `${episode.dataset_name} ${screen.signs.separator} ${episode.episode_index}`;
	const left = lines.length - rows - from;
	return (
		<Dialog
			title={title}
			aside={left > 0 ? `j: ${left} rows more` : ''}
			width={wide}
			rows={shown}
			screenWidth={width}
			screenHeight={height}
			area={area}
		/>
	);
}
