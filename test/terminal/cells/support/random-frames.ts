import {Box, Text} from 'ink';
import {createElement, type ReactNode} from 'react';
import {type InkNode, rootOf} from '../../../../source/terminal/cells/ink-tree.ts';

type Random = () => number;

type Size = {readonly columns: number; readonly rows: number};

const glyphs = [
	...'abcdefgh XYZ 0123456789 .,:-+*',
	...'─━│┤▸▢█▌▏▁▅…·×é✓✗◐',
	...'漢字かなカ한글',
	'e\u0301',
	'n\u0303\u0323',
	'👍',
	'👍🏽',
	'👩‍🚀',
	'❤️',
	'🇫🇮',
	'ก็',
	'क्षि',
	'∑',
	'𝔘',
];

const openings = [
	'1',
	'2',
	'1;2',
	'3',
	'4',
	'7',
	'1;7',
	'9',
	'31',
	'92',
	'36;1',
	'38;5;208',
	'38;2;1;200;30',
	'44',
	'48;5;17',
	'7;33;44',
];

function pick<T>(random: Random, choices: readonly T[]): T {
	const choice = choices[Math.floor(random() * choices.length)];
	if (choice === undefined) throw new RangeError('nothing to pick from');
	return choice;
}

function word(random: Random, length: number): string {
	let text = '';
	for (let at = 0; at < length; at++) text += pick(random, glyphs);
	return text;
}

/** Styled text of at most some forty glyphs, its looks all ended. */
function styledText(random: Random): string {
	let text = '';
	for (let part = 0; part < 1 + random() * 5; part++) {
		const plain = random() < 0.4;
		const body = random() < 0.3 ? ' '.repeat(random() * 12) : word(random, random() * 8);
		text += plain || body === '' ? body : `\u001b[${pick(random, openings)}m${body}\u001b[0m`;
	}
	return text;
}

export function randomSize(random: Random): {columns: number; rows: number} {
	return {columns: 4 + Math.floor(random() * 56), rows: 2 + Math.floor(random() * 14)};
}

/** What is drawn by boxes and texts, as plain data: it can be changed a little and drawn again. */
export type RandomScreen = {
	readonly rows: readonly string[];
	readonly overlays: readonly Overlay[];
	/** Text that Ink has to break into lines, and a border: what Ink's own drawing is needed for. */
	readonly wrapped: string | undefined;
};

type Overlay = {
	readonly x: number;
	readonly y: number;
	readonly width: number;
	readonly rows: readonly string[];
};

function overlay(random: Random, {columns, rows}: Size): Overlay {
	return {
		x: Math.floor(random() * columns) - 2,
		y: Math.floor(random() * rows) - 1,
		width: 1 + Math.floor(random() * 20),
		rows: Array.from({length: 1 + Math.floor(random() * 4)}, () => styledText(random)),
	};
}

export function randomScreen(random: Random, size: Size): RandomScreen {
	return {
		rows: Array.from({length: size.rows}, () => styledText(random)),
		overlays: random() < 0.5 ? [overlay(random, size)] : [],
		wrapped: random() < 0.1 ? 'many words that go over the edge of the screen' : undefined,
	};
}

/** Another screen; mostly the same with a row or a dialog changed, or scrolled by a row. */
export function changed(screen: RandomScreen, random: Random, size: Size): RandomScreen {
	const act = random();
	if (act < 0.1) return randomScreen(random, size);
	const rows = [...screen.rows];
	if (act < 0.2) rows.push(rows.shift() ?? '');
	else if (act < 0.3) rows.unshift(rows.pop() ?? '');
	else rows[Math.floor(random() * rows.length)] = styledText(random);
	return {
		rows,
		overlays: random() < 0.2 ? (random() < 0.5 ? [] : [overlay(random, size)]) : screen.overlays,
		wrapped: random() < 0.1 ? undefined : screen.wrapped,
	};
}

/** @param follow gets the root of Ink's tree. */
export function screenTree(
	{rows, overlays, wrapped}: RandomScreen,
	{columns, rows: height}: Size,
	follow: (root: InkNode) => void = () => undefined,
): ReactNode {
	const line = (text: string, key: number) =>
		createElement(Text, {key, wrap: 'truncate'}, text === '' ? ' ' : text);
	return createElement(
		Box,
		{
			ref: (box: InkNode | null) => {
				if (box !== null) follow(rootOf(box));
			},
			flexDirection: 'column',
			width: columns,
			height,
			overflow: 'hidden',
		},
		...rows.map(line),
		...overlays.map(({x, y, width, rows: lines}, key) =>
			createElement(
				Box,
				{
					key: `overlay ${key}`,
					position: 'absolute',
					flexDirection: 'column',
					marginLeft: x,
					marginTop: y,
					width,
					overflow: 'hidden',
				},
				...lines.map(line),
			),
		),
		wrapped === undefined
			? undefined
			: createElement(
					Box,
					{key: 'wrapped', position: 'absolute', width: 12, borderStyle: 'single'},
					createElement(Text, undefined, wrapped),
				),
	);
}
