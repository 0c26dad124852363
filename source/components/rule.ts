import {printableWithin} from '../terminal/printable.ts';
import type {Screen} from './screen.tsx';
import {cellsOf, type Segment} from './segment.ts';

/** A horizontal line with words on it; a heavy one marks the pane that has the keyboard, colour apart. */
export function rule(
	screen: Screen,
	width: number,
	{
		title = '',
		right = '',
		focused = false,
		lead = 1,
	}: {title?: string; right?: string; focused?: boolean; lead?: number} = {},
): Segment[] {
	const {signs, drawing} = screen;
	const stroke = focused ? signs.line.heavy : signs.line.horizontal;
	const role = focused ? 'focus' : 'border';
	const shownRight = printableWithin(right, Math.max(0, width - lead - 4), drawing);
	const rightWidth = shownRight === '' ? 0 : cellsOf(shownRight) + 1;
	const shownTitle = printableWithin(title, Math.max(0, width - lead - rightWidth - 2), drawing);
	const fill = Math.max(0, width - lead - cellsOf(shownTitle) - rightWidth);
	return [
		{text: stroke.repeat(Math.min(lead, width)), role},
		{text: shownTitle, role: focused ? 'focus' : 'title'},
		{text: stroke.repeat(fill), role},
		...(shownRight === ''
			? []
			: [{text: shownRight, role: focused ? 'focus' : 'plain'} as const, {text: stroke, role} as const]),
	];
}
