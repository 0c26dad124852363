import type {Binding} from '../../input/binding.ts';
import type {Explorer} from '../../store/explorer.ts';
import {cursorMoved, type PlotPlace, plotStart, windowZoomed} from '../../store/series/plot-window.ts';
import {overlaid} from '../../store/state/transitions.ts';
import {figuresOf} from './figure-lines.ts';

const category = 'Plots';

type PlotKeys = {
	readonly explorer: Explorer;
	/** Cells that a plot is wide just now. */
	readonly cells: () => number;
};

/** The keys of an episode's plots: read values, zoom, choose channels. */
export function plotBindings({explorer, cells}: PlotKeys): readonly Binding[] {
	const {plots} = explorer;
	const step = (change: (place: PlotPlace, frames: number) => PlotPlace) => () => {
		const episode = explorer.selectedEpisode();
		if (episode === undefined) return;
		plots.move(episode.episode_id, place => change(place, Number(episode.frame_count)));
	};
	const cursor = (by: (width: number) => number) => step(place => cursorMoved(place, by(cells()), cells()));
	const figure = (by: 1 | -1) => () => {
		const episode = explorer.selectedEpisode();
		const figures = episode === undefined ? [] : figuresOf(episode);
		const at = figures.indexOf(plots.state.getState().figure);
		const next = figures.at((at + by) % Math.max(1, figures.length));
		if (next !== undefined) plots.showFigure(next);
	};
	const hasSeries = () => plots.series.isTold;
	const drawn = {category, when: hasSeries};
	return [
		{
			...drawn,
			keys: ['right', 'l'],
			action: 'plots.later',
			description: 'cursor forward',
			together: 'cursor',
			footer: 23,
			batch: true,
			run: cursor(() => 1),
		},
		{
			...drawn,
			keys: ['left', 'h'],
			action: 'plots.earlier',
			description: 'cursor back',
			together: 'cursor',
			footer: 22,
			batch: true,
			run: cursor(() => -1),
		},
		{
			...drawn,
			keys: ['shift+right'],
			action: 'plots.much-later',
			description: 'a tenth forward',
			batch: true,
			run: cursor(width => Math.max(1, Math.round(width / 10))),
		},
		{
			...drawn,
			keys: ['shift+left'],
			action: 'plots.much-earlier',
			description: 'a tenth back',
			batch: true,
			run: cursor(width => -Math.max(1, Math.round(width / 10))),
		},
		{
			...drawn,
			keys: ['>'],
			action: 'plots.closer',
			description: 'zoom in',
			together: 'zoom',
			footer: 24,
			batch: true,
			run: step((place, frames) => windowZoomed(place, 0.5, frames)),
		},
		{
			...drawn,
			keys: ['<'],
			action: 'plots.wider',
			description: 'zoom out',
			together: 'zoom',
			footer: 25,
			batch: true,
			run: step((place, frames) => windowZoomed(place, 2, frames)),
		},
		{
			...drawn,
			keys: ['='],
			action: 'plots.whole',
			description: 'whole episode, no cursor',
			batch: true,
			run: step(() => plotStart),
		},
		{
			...drawn,
			keys: ['c'],
			action: 'plots.channels',
			description: 'channels',
			footer: 26,
			run: () => explorer.update(overlaid('channels')),
		},
		{
			keys: ['f'],
			action: 'plots.next-figure',
			description: 'distribution of the next figure',
			category,
			run: figure(1),
		},
		{
			keys: ['F'],
			action: 'plots.previous-figure',
			description: 'distribution of the previous figure',
			category,
			run: figure(-1),
		},
	];
}
