import {Box} from 'ink';
import {type ReactNode, useCallback, useMemo} from 'react';
import {Line} from '../../components/line.tsx';
import {type Row, Rows} from '../../components/rows.tsx';
import {rule} from '../../components/rule.ts';
import {useScreen} from '../../components/screen.tsx';
import {useExplorer, useExplorerState} from '../../hooks/explorer.tsx';
import type {Binding} from '../../input/binding.ts';
import {useBindings, useFocus, useMouseArea} from '../../input/react.tsx';
import {type ListId, movedBy} from '../../store/state/list-location.ts';
import {paneOfLocation} from '../../store/state/location.ts';
import {listMoved, listOpened, listTargeted} from '../../store/state/view-transitions.ts';
import {grouped} from '../../terminal/quantity.ts';
import {movementBindings, type Step, scrolling} from './movement.ts';
import {currentTarget, type OpenedLine, segmentsOf, steppedLine, targetOf} from './opened-line.ts';

type OpenedPaneProps = {
	readonly list: ListId;
	readonly title: string;
	readonly noun: string;
	/** The rows of the list, to step through them. */
	readonly keys: readonly string[];
	readonly lines: readonly OpenedLine[];
	readonly bindings: readonly Binding[];
	readonly width: number;
	readonly height: number;
	readonly focused: boolean;
	/** Stands at the right of the list, divided from it by a line. */
	readonly beside: boolean;
};

/** An opened row in full, as lines to scroll through. */
export function OpenedPane(props: OpenedPaneProps): ReactNode {
	const {list, title, noun, keys, lines, bindings, width, height, focused, beside} = props;
	const explorer = useExplorer();
	const focus = useFocus();
	const screen = useScreen();
	const {scroll, target: wanted} = useExplorerState(state => state.lists[list]);
	const rows = Math.max(0, height - 1);
	const offset = Math.max(0, Math.min(scroll, lines.length - rows));
	const target = currentTarget({scroll: offset, target: wanted}, lines, rows);
	const described = target?.description ?? '';

	const move = useCallback(
		(step: Step) => {
			const at = steppedLine(explorer.state.getState().lists[list], step, lines, rows);
			explorer.update(listTargeted(list, at.target, at.scroll));
		},
		[explorer, list, lines, rows],
	);
	const own = useMemo<readonly Binding[]>(() => {
		const category = 'Opened';
		/** Keys of one burst come before the lines are drawn again. */
		const targetNow = () => {
			const place = explorer.state.getState().lists[list];
			const first = Math.max(0, Math.min(place.scroll, lines.length - rows));
			return currentTarget({...place, scroll: first}, lines, rows);
		};
		const step = (by: 1 | -1) => () => {
			explorer.update(listMoved(list, (at, extent) => movedBy(at, by, extent), keys, 1));
			// The first row is held by what it is, while it is open.
			explorer.update(listOpened(list, true, keys));
		};
		return [
			{
				keys: ['enter'],
				action: `${list}-detail.enter`,
				description: described,
				category,
				footer: 5,
				when: () => targetNow() !== undefined,
				run: () => targetNow()?.enter(),
			},
			{
				keys: ['esc', 'backspace', 'enter'],
				action: `${list}-detail.leave`,
				description: 'back',
				category,
				footer: 10,
				run() {
					const isLinked = explorer.state.getState().lists[list].isLinked;
					const before = isLinked ? explorer.places.back() : undefined;
					if (before !== undefined) {
						focus.focus(paneOfLocation(before));
						return;
					}
					explorer.update(listOpened(list, false, keys));
					focus.focus(list);
				},
			},
			{
				keys: ['n', 'J'],
				action: `${list}-detail.next`,
				description: 'next',
				category,
				footer: 20,
				batch: true,
				run: step(1),
			},
			{
				keys: ['N', 'K'],
				action: `${list}-detail.previous`,
				description: 'previous',
				category,
				footer: 21,
				batch: true,
				run: step(-1),
			},
			...movementBindings({
				name: `${list}-detail`,
				category,
				noun: 'line',
				move,
			}),
			...bindings,
		];
	}, [explorer, focus, list, keys, lines, rows, described, move, bindings]);
	useBindings({id: `${list}-detail`, level: 'pane', active: focused, bindings: own});

	const area = useMouseArea({
		id: `${list}-detail`,
		level: 'pane',
		press(row) {
			focus.focus(`${list}-detail`);
			const pressed = row === 0 ? undefined : targetOf(lines[offset + row - 1]);
			if (pressed === undefined) return;
			if (focused && pressed === target) pressed.enter();
			else explorer.update(listTargeted(list, pressed.id, offset));
		},
		wheel: by => move(scrolling(by)),
	});

	const edge = beside ? [{text: screen.signs.line.vertical, role: 'border'} as const] : [];
	const corner = beside ? [{text: screen.signs.line.teeTop, role: 'border'} as const] : [];
	const right =
		lines.length > rows
			? `${offset + 1}-${Math.min(lines.length, offset + rows)} of ${grouped(lines.length)}`
			: '';
	const body = Array.from({length: rows}, (_, row): Row => {
		const line = lines[offset + row];
		const isAt = target !== undefined && targetOf(line) === target;
		if (!isAt) return {segments: [...edge, ...segmentsOf(line)]};
		const mark = focused ? screen.signs.pointer : screen.signs.idlePointer;
		// The first cell of every line is free for the mark.
		const [, ...rest] = segmentsOf(line);
		return {segments: [...edge, mark, ...rest], look: focused ? 'selected' : 'strong'};
	});
	const head = rule(screen, beside ? width - 1 : width, {title: ` ${title || noun} `, right, focused});
	return (
		<Box ref={area} flexDirection="column" width={width} height={height} overflow="hidden">
			<Line segments={[...corner, ...head]} width={width} />
			<Rows rows={body} width={width} />
		</Box>
	);
}
