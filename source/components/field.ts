import type {LineField} from '../input/line-field.ts';
import {lineWindow} from '../input/line-window.ts';
import type {Screen} from './screen.tsx';
import type {Segment} from './segment.ts';

/** A field in exactly `width` cells, the caret shown by a sign at the end of the text and by an inverse cell inside it. */
export function fieldSegments(field: LineField, width: number, {drawing, signs}: Screen): readonly Segment[] {
	const {before, at, behind, isCutLeft, isCutRight} = lineWindow(field, Math.max(1, width - 2), drawing);
	const caret = field.caret === field.text.length ? signs.caret : at;
	return [
		{text: isCutLeft ? signs.ellipsis : '', role: 'dim'},
		before,
		{text: caret, role: field.caret === field.text.length ? 'accent' : 'caret'},
		behind,
		{text: isCutRight ? signs.ellipsis : '', role: 'dim'},
	];
}
