import type {ReactNode} from 'react';
import {expect} from 'vitest';
import {EpisodesPane} from '../../source/panes/episodes/episodes-pane.tsx';
import type {Explorer} from '../../source/store/explorer.ts';
import type {ExplorerState} from '../../source/store/explorer-state.ts';
import {overlaid} from '../../source/store/state/transitions.ts';
import type {Uploader} from '../../source/store/uploads/uploader.ts';
import {explorerOf, until} from '../store/support.ts';
import {type Drawn, drawn} from './drawn.tsx';
import {hosted} from './hosted.ts';

export type Size = {readonly width: number; readonly height: number};

/** The widths that dialogs are drawn at: a narrow terminal, and one with room. */
export const widths = [44, 90];

type DialogOptions = {
	readonly width?: number;
	readonly height?: number;
	readonly state?: Partial<ExplorerState>;
	readonly uploader?: Uploader;
	/** Draws the episode table below, whose keys the help and the palette list. */
	readonly overTable?: boolean;
	/** Draws spinners, as a terminal with attributes does. */
	readonly moves?: boolean;
};

type ShownDialog = {
	readonly explorer: Explorer;
	readonly pane: Drawn;
	/** The text of the last notice. */
	readonly notice: () => string | undefined;
	/** Waits until the dialog is closed. */
	readonly closed: () => Promise<void>;
};

/** Draws one dialog by itself over a lake of 40 episodes. */
export async function dialogOf(
	overlay: NonNullable<ExplorerState['overlay']>,
	Dialog: (size: Size) => ReactNode,
	{width = 80, height = 16, state, uploader, overTable = false, moves = false}: DialogOptions = {},
): Promise<ShownDialog> {
	const explorer = explorerOf(await hosted({episodes: 40}), state, uploader && {uploader});
	await until(explorer.window.result, ({rowCount, totals}) => rowCount > 0 && totals !== undefined);
	explorer.update(overlaid(overlay));
	return showDialog(explorer, Dialog, {width, height, overTable, moves});
}

/** Draws one dialog of an explorer, whose every row must fit the width. */
export async function showDialog(
	explorer: Explorer,
	Dialog: (size: Size) => ReactNode,
	{width, height, overTable, moves}: Size & Pick<DialogOptions, 'overTable' | 'moves'>,
): Promise<ShownDialog> {
	const size = {width, height};
	const pane = drawn(
		<>
			{overTable ? <EpisodesPane {...size} focused /> : null}
			<Dialog {...size} />
		</>,
		{explorer, ...size, focused: 'episodes', ...(moves && {moves})},
	);
	const rows = await pane.until('━');
	expect(rows.every(row => row.length <= width)).toBe(true);
	return {
		explorer,
		pane,
		notice: () => explorer.state.getState().notices.at(-1)?.text,
		closed: () => expect.poll(() => explorer.state.getState().overlay).toBeUndefined(),
	};
}
