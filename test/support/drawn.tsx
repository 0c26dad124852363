import {stripVTControlCharacters} from 'node:util';
import {Box} from 'ink';
import {render} from 'ink-testing-library';
import type {ReactNode} from 'react';
import {expect, onTestFinished} from 'vitest';
import {createScreen, ScreenProvider} from '../../source/components/screen.tsx';
import {signsFor} from '../../source/components/signs.ts';
import {ClipboardProvider} from '../../source/hooks/clipboard.tsx';
import {ExplorerProvider} from '../../source/hooks/explorer.tsx';
import {PicturesProvider} from '../../source/hooks/pictures.tsx';
import {createFocus} from '../../source/input/focus.ts';
import {InputProvider} from '../../source/input/react.tsx';
import {createRouter} from '../../source/input/router.ts';
import type {Explorer} from '../../source/store/explorer.ts';
import type {ImageRenderer} from '../../source/terminal/pictures/picture-renderer.ts';

/** The sizes that every pane is drawn at: a small terminal, where it has the screen to itself, and a large one. */
export const sizes = [
	{width: 80, height: 24},
	{width: 200, height: 50},
] as const;

type DrawnOptions = {
	readonly explorer: Explorer;
	readonly width: number;
	readonly height: number;
	/** The pane that has the keyboard. */
	readonly focused?: string;
	/** Draws spinners, as a terminal with attributes does. */
	readonly moves?: boolean;
};

/** Pictures are drawn as half blocks: there is no terminal to send pixels to. */
const halfBlocks: ImageRenderer = {
	way: () => Promise.resolve({kind: 'blocks'}),
	put: () => '',
	drop: () => undefined,
	mostCells: Number.POSITIVE_INFINITY,
};

/** One pane or dialog by itself, as it is drawn and as keys reach it. */
export type Drawn = {
	/** The frame that shows, without blanks at the ends of its rows. */
	rows(): readonly string[];
	/** Keys by their names, one after the other. */
	press(...keys: readonly string[]): void;
	/** Letters, one after the other. */
	type(text: string): void;
	/** Waits until the frame holds this. @returns its rows */
	until(wanted: string | RegExp): Promise<readonly string[]>;
	/** What was copied so far. */
	readonly copied: readonly string[];
};

/** Draws one pane or dialog on the real store, without a terminal: no colours, nothing around it. */
export function drawn(
	element: ReactNode,
	{explorer, width, height, focused, moves = false}: DrawnOptions,
): Drawn {
	const router = createRouter();
	const focus = createFocus(focused);
	if (focused !== undefined) focus.setRing([focused]);
	const screen = createScreen(
		{
			colour: false,
			light: false,
			attributes: moves,
			ascii: false,
			spoken: false,
			links: false,
			colours: 'none',
			remote: false,
		},
		signsFor({unicode: true}),
	);
	const copied: string[] = [];
	const copy = async (text: string, what: string) => {
		copied.push(text);
		return {kind: 'info' as const, text: `${what} copied.`};
	};
	const view = render(<Box />);
	// Ink lays out for the 100 columns of its test terminal otherwise.
	Object.defineProperty(view.stdout, 'columns', {value: width});
	view.rerender(
		<ScreenProvider screen={screen}>
			<ExplorerProvider explorer={explorer}>
				<ClipboardProvider copy={copy}>
					<PicturesProvider open={() => Promise.resolve(halfBlocks)}>
						<InputProvider router={router} focus={focus}>
							<Box flexDirection="column" width={width} height={height} overflow="hidden">
								{element}
							</Box>
						</InputProvider>
					</PicturesProvider>
				</ClipboardProvider>
			</ExplorerProvider>
		</ScreenProvider>,
	);
	onTestFinished(() => view.unmount());
	const rows = () =>
		stripVTControlCharacters(view.lastFrame() ?? '')
			.split('\n')
			.map(row => row.trimEnd());
	const press = (key: string, text: string) => router.dispatch({type: 'key', key, text, sequence: text});
	return {
		rows,
		copied,
		press(...keys) {
			for (const key of keys) press(key, key === 'space' ? ' ' : [...key].length === 1 ? key : '');
		},
		type(text) {
			for (const letter of text) press(letter === ' ' ? 'space' : letter, letter);
		},
		async until(wanted) {
			const matcher =
				typeof wanted === 'string' ? expect.stringContaining(wanted) : expect.stringMatching(wanted);
			await expect.poll(() => rows().join('\n')).toEqual(matcher);
			return rows();
		},
	};
}
