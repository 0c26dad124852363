import {createContext, type ReactNode, useContext} from 'react';
import {type CellOptions, cell, type Drawing, type Segment} from './segment.ts';
import type {Signs} from './signs.ts';

/** The terminal as panes draw on it: what it can do, which signs it has. The same for the whole session. */
export type Screen = {
	readonly drawing: Drawing;
	readonly signs: Signs;
	/** Text as a piece of exactly `width` cells. */
	readonly cell: (
		text: string,
		width: number,
		options?: Omit<CellOptions, 'ascii'>,
	) => Exclude<Segment, string>;
};

export function createScreen(drawing: Drawing, signs: Signs): Screen {
	return {
		drawing,
		signs,
		cell: (text, width, options) => cell(text, width, {...options, ascii: drawing.ascii}),
	};
}

const ScreenContext = createContext<Screen | undefined>(undefined);

export function ScreenProvider({screen, children}: {screen: Screen; children: ReactNode}): ReactNode {
	return <ScreenContext value={screen}>{children}</ScreenContext>;
}

export function useScreen(): Screen {
	const screen = useContext(ScreenContext);
	if (screen === undefined) throw new Error('useScreen needs a ScreenProvider above it');
	return screen;
}
