import type {ReactNode} from 'react';
import {Dialog, type DialogRow} from '../../components/dialog.tsx';
import {fieldSegments} from '../../components/field.ts';
import {type KeyOf, useKeyOf} from '../../components/key-words.ts';
import {useScreen} from '../../components/screen.tsx';
import type {Segment} from '../../components/segment.ts';
import {type LineFieldState, useLineField} from '../../hooks/line-field.ts';
import {useListMouse, useListPosition} from '../../hooks/list-position.ts';
import type {Binding} from '../../input/binding.ts';
import {useBindings, useRouter} from '../../input/react.tsx';
import {type ListPosition, listStart, shownRows} from '../../store/state/list-location.ts';
import {movementBindings, type Step, screens, scrolling} from './movement.ts';

/** The state that the bindings of a chooser work on: at this moment, which can be newer than the frame on the screen. */
type ChooserNow<Item> = {
	/** The item at the pointer; undefined if the list is empty. */
	readonly current: () => Item | undefined;
	/** The row of the pointer. */
	readonly selected: () => number;
	/** The text in the field; empty without one. */
	readonly typed: () => string;
	/** Replaces the text in the field. */
	readonly type: (text: string) => void;
	readonly move: (step: Step) => void;
};

type ChooserOptions<Item> = {
	/** Name of the modal layer, and the first part of its actions' names. */
	readonly id: string;
	/** Heading of its keys in the help. */
	readonly category: string;
	/** One row, in a word: `column`. */
	readonly noun: string;
	/** The items at this moment. @param typed the text in the field, which narrows them */
	readonly items: (typed: string) => readonly Item[];
	/** Rows of the screen that the list can take. */
	readonly room: number;
	/** Text that the field begins with. With a field, letters are typed; without one, they move the pointer. */
	readonly field?: string;
	/** Enter, space and so on: the keys of this dialog alone. */
	readonly bindings: (list: ChooserNow<Item>) => readonly Binding[];
	/** Called when the text in the field changes. */
	readonly changed?: (typed: string) => void;
};

/** A list to choose from, as its dialog draws it. */
export type Chooser<Item> = {
	readonly id: string;
	readonly items: readonly Item[];
	readonly position: ListPosition;
	/** The first row on the screen, and the one behind the last. */
	readonly from: number;
	readonly to: number;
	readonly room: number;
	readonly field: LineFieldState | undefined;
	readonly keyOf: KeyOf;
	readonly bindings: readonly Binding[];
	readonly move: (step: Step) => void;
};

/** Moving, paging and filtering by typing, for every dialog with a list to choose from. Registers the dialog's layer. */
export function useChooser<Item>(options: ChooserOptions<Item>): Chooser<Item> {
	const {id, category, noun, items: itemsOf, room, field: begin, changed} = options;
	const hasField = begin !== undefined;
	const field = useLineField(begin ?? '', ({text}) => {
		// Another text begins another list.
		move(() => listStart);
		changed?.(text);
	});
	const items = itemsOf(field.field.text);
	const height = Math.max(1, room);
	const {position, now, move} = useListPosition({count: items.length, height});
	const list: ChooserNow<Item> = {
		current: () => itemsOf(field.now().text)[now().selected],
		selected: () => now().selected,
		typed: () => field.now().text,
		type: field.set,
		move,
	};
	const movement = hasField
		? typingMovement({name: id, category, noun, move})
		: movementBindings({name: id, category, noun, move});
	const bindings = [...options.bindings(list), ...movement];
	useBindings({id, level: 'dialog', modal: true, bindings, ...(hasField && {text: field.type})});
	const keyOf = useKeyOf(bindings);
	const {from, to} = shownRows(position, {count: items.length, height});
	return {
		id,
		items,
		position,
		from,
		to,
		room: height,
		field: hasField ? field : undefined,
		keyOf,
		bindings,
		move,
	};
}

/** Movement where letters are typed: only keys that type nothing. */
const typingSteps: readonly {readonly name: string; readonly keys: readonly string[]; readonly step: Step}[] =
	[
		{name: 'next', keys: ['down', 'ctrl+n', 'tab'], step: scrolling(1)},
		{name: 'previous', keys: ['up', 'ctrl+p', 'shift+tab'], step: scrolling(-1)},
		{name: 'page-down', keys: ['pagedown'], step: screens(1)},
		{name: 'page-up', keys: ['pageup'], step: screens(-1)},
	];

type Movement = {
	readonly name: string;
	readonly category: string;
	readonly noun: string;
	readonly move: (step: Step) => void;
};

function typingMovement({name, category, noun, move}: Movement): readonly Binding[] {
	return typingSteps.map(({name: step, keys, step: take}) => ({
		keys,
		action: `${name}.${step}`,
		description: step.startsWith('page') ? step.replace('-', ' ') : `${step} ${noun}`,
		category,
		batch: true,
		run: () => move(take),
	}));
}

type ChooserDialogProps<Item> = {
	readonly list: Chooser<Item>;
	readonly title: string;
	readonly aside?: string | undefined;
	/** Cells that the dialog takes where the screen has them. */
	readonly widest: number;
	readonly width: number;
	readonly height: number;
	/** Stands before the field. */
	readonly label?: string;
	/** Rows between the field and the list. */
	readonly head?: readonly DialogRow[];
	/** One item in `width` cells, behind the pointer. */
	readonly row: (item: Item, width: number) => readonly Segment[];
	/** Stands in place of an empty list, a row each. */
	readonly empty?: readonly string[];
	/** Keeps the height while typing shortens the list. */
	readonly isFilled?: boolean;
	/** Rows below the list. */
	readonly foot?: readonly DialogRow[];
	/** The action of a press on the row at the pointer; a press elsewhere only moves the pointer. */
	readonly pressed?: string;
	/** A press on a row above or below the list. */
	readonly pressedBeside?: (row: number, column: number) => void;
};

/** Draws a list to choose from, and connects the mouse. */
export function ChooserDialog<Item>(props: ChooserDialogProps<Item>): ReactNode {
	const {list, title, aside, widest, width, height, label = '', head = [], row, empty = []} = props;
	const {isFilled = false, foot = [], pressed, pressedBeside} = props;
	const screen = useScreen();
	const router = useRouter();
	const {id, items, position, from, to, room, field, move} = list;
	const wide = Math.min(widest, width);
	const inner = Math.max(1, wide - 2);
	const above: DialogRow[] = [...head];
	if (field !== undefined) {
		const segments = fieldSegments(field.field, Math.max(1, inner - label.length - 1), screen);
		above.unshift({segments: [{text: label, role: 'focus'}, ...segments]});
	}
	const area = useListMouse({
		id,
		level: 'dialog',
		within: id,
		head: 1 + above.length,
		from,
		count: to,
		chosen: pressed === undefined ? undefined : position.selected,
		move,
		open: () => pressed !== undefined && router.run(pressed),
		...(pressedBeside && {beside: pressedBeside}),
	});
	const listed = items.slice(from, to).map((item, index): DialogRow => {
		const isSelected = from + index === position.selected;
		return {
			segments: [isSelected ? screen.signs.pointer : ' ', ...row(item, inner - 1)],
			look: isSelected ? 'selected' : 'plain',
		};
	});
	const lead = field === undefined ? ' ' : '  ';
	const said = empty.map((text): DialogRow => ({segments: [lead, {text, role: 'dim'}]}));
	const body = listed.length === 0 ? said : listed;
	const missing = isFilled ? Math.max(0, room - body.length) : 0;
	return (
		<Dialog
			title={title}
			aside={aside}
			width={wide}
			rows={[...above, ...body, ...Array.from({length: missing}, () => ({segments: []})), ...foot]}
			screenWidth={width}
			screenHeight={height}
			area={area}
		/>
	);
}
