import {Box} from 'ink';
import {type ReactNode, useLayoutEffect, useMemo, useRef} from 'react';
import {Line} from '../../components/line.tsx';
import {Rows} from '../../components/rows.tsx';
import {rule} from '../../components/rule.ts';
import {useScreen} from '../../components/screen.tsx';
import {useCopy} from '../../hooks/clipboard.tsx';
import {useEvidenceKnown, useExplorer, useExplorerState, useLocal, useResult} from '../../hooks/explorer.tsx';
import {useBindings, useFocus, useMouseArea} from '../../input/react.tsx';
import {type ListExtent, settled} from '../../store/state/list-location.ts';
import {detailScrolled} from '../../store/state/transitions.ts';
import {grouped} from '../../terminal/quantity.ts';
import {scrolling} from '../list/movement.ts';
import {detailBindings} from './detail-bindings.ts';
import {detailLines, suspectLines} from './detail-lines.ts';
import {episodeSections} from './episode-fields.ts';
import {plotWidth} from './plot-lines.ts';
import {usePlotLines} from './use-plot-lines.ts';

type DetailPaneProps = {
	readonly width: number;
	readonly height: number;
	readonly focused: boolean;
	/** Stands at the right of the table, divided from it by a line. */
	readonly beside: boolean;
};

/** Everything known of the selected episode. */
export function DetailPane({width, height, focused, beside}: DetailPaneProps): ReactNode {
	const explorer = useExplorer();
	const focus = useFocus();
	const copy = useCopy();
	const screen = useScreen();
	const rowCount = useResult(result => result.rowCount);
	const selected = useExplorerState(state => settled(state.position, {count: rowCount, height: 1}).selected);
	const row = useResult(result => (result.rowCount === 0 ? undefined : result.row(selected)));
	useLayoutEffect(() => explorer.window.look(selected), [explorer, selected]);
	const wantedOffset = useExplorerState(state => state.detailOffset);

	const inner = beside ? width - 1 : width;
	const rows = Math.max(0, height - 1);
	const episode = typeof row === 'object' ? row : undefined;
	const evidence = useEvidenceKnown().get(episode?.episode_id ?? '');
	const predicates = useResult(({question}) => question.channel_predicates);
	const isMeasuredHere = useLocal(({document}) => document !== undefined);
	const said = useMemo(
		() =>
			episode === undefined
				? []
				: detailLines(
						episodeSections(episode, {evidence, predicates, isMeasuredHere}, screen),
						inner,
						screen,
					),
		[episode, evidence, predicates, isMeasuredHere, inner, screen],
	);
	const drawn = usePlotLines(episode, {width: inner, rows, focused, screen});
	const suspect = useMemo(
		() => (episode === undefined ? [] : suspectLines(episode, {screen, width: inner, rows})),
		[episode, screen, inner, rows],
	);
	const lines = useMemo(() => [...suspect, ...drawn, ...said], [suspect, drawn, said]);
	const offset = Math.max(0, Math.min(wantedOffset, lines.length - rows));

	const extent = useRef<ListExtent>({count: 0, height: 0});
	const cells = useRef(1);
	useLayoutEffect(() => {
		extent.current = {count: lines.length, height: rows};
		cells.current = plotWidth(inner);
	}, [lines.length, rows, inner]);
	const keepsReviews = useLocal(({isOther}) => isOther);
	const bindings = useMemo(() => {
		const measures = {extent: () => extent.current, cells: () => cells.current};
		return detailBindings({explorer, focus, copy, ...measures, keepsReviews});
	}, [explorer, focus, copy, keepsReviews]);
	useBindings({id: 'detail', level: 'pane', active: focused, bindings});

	const area = useMouseArea({
		id: 'detail',
		level: 'pane',
		press: () => focus.focus('detail'),
		wheel: by => explorer.update(detailScrolled(scrolling(by), {count: lines.length, height: rows})),
	});

	const title =
		episode === undefined
			? 'Episode'
			: `${episode.dataset_name} ${screen.signs.separator} ${episode.episode_index}`;
	const hidden = lines.length - rows;
	const right =
		hidden > 0 ? `${offset + 1}-${Math.min(lines.length, offset + rows)} of ${grouped(lines.length)}` : '';
	const edge = beside ? [{text: screen.signs.line.vertical, role: 'border'} as const] : [];
	const corner = beside ? [{text: screen.signs.line.teeTop, role: 'border'} as const] : [];
	const waiting = {
		loading: '',
		failed: 'it could not be loaded',
		unreadable: 'it is invalid',
		missing: 'the service did not return it',
	};
	const words = row === undefined ? 'no episode' : typeof row === 'string' ? waiting[row] : '';
	const body = Array.from({length: rows}, (_, place) => {
		const line =
			lines[offset + place] ??
			(place === 0 && episode === undefined ? [{text: ` ${words}`, role: 'dim' as const}] : []);
		return {segments: [...edge, ...line]};
	});
	return (
		<Box ref={area} flexDirection="column" width={width} height={height} overflow="hidden">
			<Line
				segments={[...corner, ...rule(screen, inner, {title: ` ${title} `, right, focused})]}
				width={width}
			/>
			<Rows rows={body} width={width} />
		</Box>
	);
}
