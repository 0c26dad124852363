import {type ReactNode, useEffect, useLayoutEffect, useMemo} from 'react';
import {useStore} from 'zustand';
import {Dialog, type DialogRow} from '../../components/dialog.tsx';
import {useScreen} from '../../components/screen.tsx';
import {frameSides} from '../../contract/local-frames.ts';
import {useExplorer, useExplorerState, useLocal, useResult} from '../../hooks/explorer.tsx';
import {useListPosition} from '../../hooks/list-position.ts';
import {useShownPictures} from '../../hooks/pictures.tsx';
import type {Binding} from '../../input/binding.ts';
import {useBindings, useMouseArea} from '../../input/react.tsx';
import {movedBy, settled} from '../../store/state/list-location.ts';
import {moved, overlaid} from '../../store/state/transitions.ts';
import {movementBindings, scrolling} from '../list/movement.ts';
import {layPictures, steps, wantedPictures} from './picture-layout.ts';
import {createBlockRows, pictureLines} from './picture-lines.ts';

type PicturesDialogProps = {readonly width: number; readonly height: number};

const widest = 160;
const category = 'Pictures';

/** Shows the pictures of the selected episode. */
export function PicturesDialog({width, height}: PicturesDialogProps): ReactNode {
	const explorer = useExplorer();
	const screen = useScreen();
	const {pictures} = explorer;
	const rowCount = useResult(result => result.rowCount);
	const selected = useExplorerState(state => settled(state.position, {count: rowCount, height: 1}).selected);
	const row = useResult(result => (result.rowCount === 0 ? undefined : result.row(selected)));
	const episode = typeof row === 'object' ? row : undefined;
	const known = useStore(pictures.known);
	const drawn = useStore(pictures.drawn.known);
	const {way, board} = useShownPictures() ?? {};
	// Frames are requested once it is known whether the service has them.
	const isServiceKnown = useLocal(({document, isOther}) => document !== undefined || isOther);
	useEffect(() => {
		if (episode === undefined || !isServiceKnown || way === undefined || way.kind === 'off') return;
		pictures.show(episode, way.kind === 'blocks' ? frameSides.default : frameSides.max);
	}, [pictures, episode, isServiceKnown, way]);
	useEffect(() => () => pictures.close(), [pictures]);

	const wide = Math.min(widest, width);
	const inner = wide - 2;
	const why = way?.kind === 'blocks' ? way.why : undefined;
	const lines = Math.max(1, height - 4 - (why === undefined ? 0 : 1));
	const mostCells = board?.mostCells ?? Number.POSITIVE_INFINITY;
	const layout = useMemo(
		() => layPictures(known, inner, {lines, drawing: screen.drawing, way, mostCells}),
		[known, inner, lines, screen, way, mostCells],
	);
	const count = steps(layout, lines);
	const {position, move} = useListPosition({count, height: 1});
	const from = layout.rows[position.selected]?.top ?? 0;
	// Before the frame is drawn, or each picture would show as half blocks for a moment.
	useLayoutEffect(() => {
		pictures.drawn.keep(new Set(known.pictures.flatMap(({pixels}) => pixels ?? [])));
		if (way !== undefined && board !== undefined) {
			pictures.drawn.want(board, wantedPictures(layout, way, {from, lines}));
		}
	}, [pictures, known, way, board, layout, from, lines]);
	const bindings = useMemo<readonly Binding[]>(() => {
		const beside = (by: 1 | -1) => () => {
			const extent = {count: explorer.window.result.getState().rowCount, height: 1};
			const before = settled(explorer.state.getState().position, extent).selected;
			explorer.update(moved(at => movedBy(at, by, extent)));
			if (settled(explorer.state.getState().position, extent).selected !== before) return;
			explorer.notify('info', `This is the ${by === 1 ? 'last' : 'first'} episode.`);
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
			...movementBindings({name: 'pictures', category, noun: 'pictures', move}),
		];
	}, [explorer, move]);
	useBindings({id: 'pictures', level: 'dialog', modal: true, bindings});

	const area = useMouseArea({
		id: 'pictures',
		level: 'dialog',
		within: 'pictures',
		wheel: rows => move(scrolling(Math.sign(rows))),
	});
	const blocks = useMemo(() => createBlockRows(screen), [screen]);
	const shown: DialogRow[] = pictureLines(layout, {screen, blocks, from, lines, drawn}).map(segments => ({
		segments,
	}));
	if (why !== undefined) {
		shown.push({segments: [' ', screen.cell(`half blocks: ${why}`, inner - 1, {role: 'dim'})]});
	}
	const title =
		episode === undefined
			? 'Pictures'
			: `${episode.dataset_name} ${screen.signs.separator} ${episode.episode_index}`;
	const left = count - 1 - position.selected;
	return (
		<Dialog
			title={title}
			aside={left > 0 ? `j: ${left} more` : ''}
			width={wide}
			rows={shown}
			screenWidth={width}
			screenHeight={height}
			area={area}
		/>
	);
}
