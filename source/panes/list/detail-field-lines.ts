import type {Screen} from '../../components/screen.tsx';
import type {Segment} from '../../components/segment.ts';
import type {Role} from '../../components/style.ts';
import {webTarget} from '../../terminal/hyperlink.ts';
import {printable} from '../../terminal/printable.ts';
import {grouped} from '../../terminal/quantity.ts';
import {wrap} from '../../terminal/width.ts';

/** Something known of what was opened. */
export type KnownField = {readonly label: string; readonly value: string; readonly role?: Role};

const labelWidth = 14;

/** No more of one value is laid out, nor of one service's fields. */
const longestValue = 8000;
const mostFields = 1000;

/** Fields one below the other, long values wrapped and whole. */
export function fieldLines(
	fields: readonly KnownField[],
	width: number,
	screen: Screen,
): readonly (readonly Segment[])[] {
	const room = Math.max(8, width - labelWidth - 3);
	const left = fields.length - mostFields;
	const more: readonly KnownField[] =
		left > 0 ? [{label: '', value: `and ${grouped(left)} fields more`, role: 'dim'}] : [];
	return [...fields.slice(0, mostFields), ...more].flatMap(({label, value, role = 'plain'}) => {
		const parts = value.slice(0, longestValue).split(/\r?\n/);
		const lines = parts.flatMap(part => wrap(printable(part, screen.drawing), room));
		return lines.map((line, row): readonly Segment[] => [
			' ',
			screen.cell(row === 0 ? label : '', labelWidth, {role: 'dim'}),
			' ',
			{text: line, role, link: webTarget(value)},
		]);
	});
}

/** A heading between fields. */
export function headingLine(text: string): readonly Segment[] {
	return [' ', {text, role: 'title'}];
}
