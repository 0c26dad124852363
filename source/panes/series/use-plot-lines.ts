import {useEffect, useMemo} from 'react';
import {useStore} from 'zustand';
import {dotsAcross} from '../../components/plot/plot-cells.ts';
import type {Screen} from '../../components/screen.tsx';
import type {Segment} from '../../components/segment.ts';
import type {LakeEpisode} from '../../contract/episode.ts';
import {useExplorer, useLocal, useResult} from '../../hooks/explorer.tsx';
import {plotStart} from '../../store/series/plot-window.ts';
import {chosenFor} from '../../store/series/plots.ts';
import {noSeries} from '../../store/series/series-watch.ts';
import {suspectChannels} from '../list/figure-words.ts';
import {figureLines, percentileLines} from './figure-lines.ts';
import {plotWidth, seriesLines, shortSeriesLine} from './plot-lines.ts';

type PlotPane = {
	readonly width: number;
	readonly rows: number;
	/** The pane has the keyboard: everything is drawn, not only what a glance needs. */
	readonly focused: boolean;
	readonly screen: Screen;
};

/** The plots above an episode's fields; requested once the cursor rests. */
export function usePlotLines(
	episode: LakeEpisode | undefined,
	{width, rows, focused, screen}: PlotPane,
): readonly (readonly Segment[])[] {
	const {plots} = useExplorer();
	const hasSeries = useLocal(({document}) => document?.abilities.includes('series') ?? false);
	const hasHistogram = useLocal(({document}) => document?.abilities.includes('histogram') ?? false);
	const question = useResult(result => result.question);
	const known = useStore(plots.series.known);
	const figureKnown = useStore(plots.figure.known);
	const {figure, ...state} = useStore(plots.state);
	const episodeId = episode?.episode_id;
	const chosen = chosenFor(state, episodeId);
	const unlike = useMemo(() => (episode === undefined ? [] : suspectChannels(episode)), [episode]);
	const place = state.episodeId === episodeId ? state : plotStart;
	const {window, cursor} = place;
	const dots = dotsAcross(plotWidth(width), screen.drawing.ascii);

	useEffect(() => {
		const wanted = hasSeries && episodeId !== undefined;
		plots.series.look(wanted ? {episodeId, chosen, unlike, dots, window} : undefined);
	}, [plots, hasSeries, episodeId, chosen, unlike, dots, window]);
	useEffect(() => {
		const isWanted = focused && episodeId !== undefined && question !== undefined;
		plots.figure.look(isWanted ? figure : undefined, hasHistogram);
	}, [plots, focused, episodeId, question, figure, hasHistogram]);

	return useMemo(() => {
		if (episode === undefined) return [];
		const own = known.episodeId === episode.episode_id ? known : undefined;
		const look = {place: {window, cursor}, chosen, screen, width, rows};
		const series = {...noSeries, ...own};
		if (!focused) return hasSeries ? shortSeriesLine(series, look) : [];
		return [
			...(hasSeries ? seriesLines(series, look) : percentileLines(episode, {screen, width})),
			...figureLines(figureKnown, {episode, screen, width}),
		];
	}, [episode, known, figureKnown, hasSeries, window, cursor, chosen, screen, width, rows, focused]);
}
