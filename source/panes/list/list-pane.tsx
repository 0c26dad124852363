import {Box} from 'ink';
import {type ReactNode, useCallback, useMemo} from 'react';
import {Line} from '../../components/line.tsx';
import {type Row, Rows} from '../../components/rows.tsx';
import {rule} from '../../components/rule.ts';
import {type Screen, useScreen} from '../../components/screen.tsx';
import type {Segment} from '../../components/segment.ts';
import {useExplorer, useExplorerState, useLive} from '../../hooks/explorer.tsx';
import {useListMouse} from '../../hooks/list-position.ts';
import {useNow} from '../../hooks/now.ts';
import type {Binding} from '../../input/binding.ts';
import {useBindings, useFocus} from '../../input/react.tsx';
import type {Freshness} from '../../store/queries/freshness.ts';
import {type ListId, positionOf, shownRows} from '../../store/state/list-location.ts';
import {edited} from '../../store/state/transitions.ts';
import {listMoved, listOpened} from '../../store/state/view-transitions.ts';
import {printable} from '../../terminal/printable.ts';
import {grouped} from '../../terminal/quantity.ts';
import {wrap} from '../../terminal/width.ts';
import {freshnessWords} from './freshness-look.ts';
import {movementBindings, type Step} from './movement.ts';

export type ListLook = {readonly width: number; readonly height: number; readonly focused: boolean};

type ListPaneProps = ListLook & {
	readonly list: ListId;
	readonly title: string;
	/** One row, for the help: `job`. */
	readonly noun: string;
	/** A key per row, in the order of the rows. */
	readonly keys: readonly string[];
	/** A row as it is drawn, behind the mark of the selection. */
	readonly rowOf: (row: number, width: number) => readonly Segment[];
	/** Words for a list without rows. */
	readonly empty: readonly (readonly Segment[])[];
	/** Further keys of the list. */
	readonly bindings: readonly Binding[];
	/** Words at the right of the title, besides the position. */
	readonly aside?: string | undefined;
	/** Freshness of the rows; undefined where the list is not read from the service. */
	readonly freshness?: Freshness | undefined;
};

/** A list of rows, of which one is selected and can be opened. */
export function ListPane(props: ListPaneProps): ReactNode {
	const {
		list,
		title,
		noun,
		keys,
		rowOf,
		empty,
		bindings,
		aside = '',
		freshness,
		width,
		height,
		focused,
	} = props;
	const explorer = useExplorer();
	const focus = useFocus();
	const screen = useScreen();
	const place = useExplorerState(state => state.lists[list]);
	const isLive = useLive(({phase}) => phase === 'live');
	const now = useNow(freshness !== undefined && 'nextAt' in freshness && freshness.nextAt !== undefined);
	const rows = Math.max(0, height - 1);
	const category = title;

	const open = useCallback(() => {
		explorer.update(listOpened(list, true, keys));
		focus.focus(`${list}-detail`);
	}, [explorer, focus, list, keys]);
	const move = useCallback(
		(step: Step) => explorer.update(listMoved(list, step, keys, rows)),
		[explorer, list, keys, rows],
	);
	const own = useMemo<readonly Binding[]>(
		() => [
			{
				keys: ['enter'],
				action: `${list}.open`,
				description: 'open',
				category,
				footer: 10,
				when: () => keys.length > 0,
				run: open,
			},
			...movementBindings({
				name: list,
				category,
				noun,
				move,
			}),
			{
				keys: ['/'],
				action: `${list}.search`,
				description: 'search',
				category,
				footer: 30,
				run: () => explorer.update(edited({list, what: 'search'})),
			},
			...bindings,
		],
		[explorer, list, category, noun, keys, open, move, bindings],
	);
	useBindings({id: list, level: 'pane', active: focused, bindings: own});

	const position = positionOf(place, keys, rows);
	const {from, to} = shownRows(position, {count: keys.length, height: rows});
	const area = useListMouse({
		id: list,
		level: 'pane',
		head: 1,
		from,
		count: to,
		chosen: focused ? position.selected : undefined,
		move,
		focus: () => focus.focus(list),
		open,
	});
	const {signs} = screen;
	const drawn =
		keys.length === 0
			? empty.flatMap(line => emptyRows(line, width, screen))
			: Array.from({length: to - from}, (_, at): Row => {
					const row = from + at;
					const isSelected = row === position.selected;
					const mark = isSelected ? (focused ? signs.pointer : signs.idlePointer) : ' ';
					return {
						segments: [mark, ...rowOf(row, width - 1)],
						look: isSelected ? (focused ? 'selected' : 'strong') : undefined,
					};
				});
	const where = keys.length === 0 ? '' : `${grouped(position.selected + 1)} of ${grouped(keys.length)}`;
	const searched = place.search === '' ? '' : `"${place.search}"`;
	// The header names the key.
	const moment = {now, isLive, key: undefined};
	const fresh = freshness === undefined ? '' : freshnessWords(freshness, moment);
	const right = [fresh, aside, searched, where].filter(Boolean).join(` ${signs.separator} `);
	return (
		<Box ref={area} flexDirection="column" width={width} height={height} overflow="hidden">
			<Line segments={rule(screen, width, {title: ` ${title} `, right, focused})} width={width} />
			<Rows rows={drawn.slice(0, rows)} width={width} />
		</Box>
	);
}

/** A line of an empty list, over as many rows as it needs. */
function emptyRows(line: readonly Segment[], width: number, {drawing}: Screen): readonly Row[] {
	const [only, ...others] = line;
	if (only === undefined || others.length > 0) return [{segments: [' ', ...line]}];
	const text = printable(typeof only === 'string' ? only : only.text, drawing);
	return wrap(text, Math.max(1, width - 2)).map(part => ({
		segments: [' ', typeof only === 'string' ? part : {...only, text: part}],
	}));
}
