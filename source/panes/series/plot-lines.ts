import {type Course, columnsOf, courseOf, type Extent, rangeOf} from '../../components/plot/columns.ts';
import {cellSegments, dotsAcross, plotCells, type Trace} from '../../components/plot/plot-cells.ts';
import {rangeStrip} from '../../components/plot/range-strip.ts';
import type {Screen} from '../../components/screen.tsx';
import {lineWidth, type Segment} from '../../components/segment.ts';
import type {EpisodeSeries} from '../../contract/local-series.ts';
import {pauseWords, stillWords} from '../../contract/metrics.ts';
import {cellAt, type PlotPlace} from '../../store/series/plot-window.ts';
import {
	besideOf,
	type ChosenChannels,
	type SeriesKnown,
	shownChannels,
} from '../../store/series/series-watch.ts';
import {printable} from '../../terminal/printable.ts';
import {span as spanOf} from '../../terminal/quantity.ts';
import {wrap} from '../../terminal/width.ts';
import {shortNumber} from '../list/figure-words.ts';

type Lines = readonly (readonly Segment[])[];

type PlotLook = {
	readonly place: PlotPlace;
	readonly chosen: ChosenChannels | undefined;
	readonly screen: Screen;
	/** Cells of a line. */
	readonly width: number;
	/** Rows of the pane: plots are as high as it allows. */
	readonly rows: number;
};

/** Cells that a plot is wide: one is left at either side. */
export const plotWidth = (width: number) => Math.max(1, width - 2);

/** One thing drawn over time: its traces below its name. */
type Plot = {
	readonly name: string;
	readonly rows: number;
	readonly traces: readonly {
		/** The labels of its values beside the name; the first trace has the name itself. */
		readonly called?: string;
		readonly course: Course;
		/** The part of the episode that the course is of. */
		readonly part: {readonly from: number; readonly until: number};
	}[];
};

const roles = ['accent', 'dim'] as const;

/** Plots of an episode over time, in lines: speed with pauses and siblings, channels, progress and ranges. */
export function seriesLines({unlike, overview, drawn, failure}: SeriesKnown, look: PlotLook): Lines {
	if (drawn === undefined || overview === undefined) {
		const words = failure === undefined ? 'loading the time series' : `no time series: ${failure}`;
		return [[' ', {text: words, role: failure === undefined ? 'dim' : 'warning'}]];
	}
	const stale: Lines = failure === undefined ? [] : [[' ', {text: failure, role: 'warning'}]];
	const [speed, ...others] = plotsOf(drawn, {...look, unlike});
	return [
		...stale,
		...(speed === undefined ? [] : drawPlot(speed, look)),
		...pauseLine(drawn, look),
		timeLine(drawn, look),
		...markerLines(drawn, look),
		...others.flatMap(plot => drawPlot(plot, look)),
		...rangeLines(overview, look),
	];
}

/** The same in a line: what a glance needs. */
export function shortSeriesLine({unlike, drawn}: SeriesKnown, {screen, width, chosen}: PlotLook): Lines {
	if (drawn === undefined || screen.drawing.spoken) return [];
	const plots: Plot[] = plotsOf(drawn, {chosen, unlike, rows: 0}).slice(0, 2);
	const room = Math.floor((width - 1) / Math.max(1, plots.length)) - 1;
	return [
		plots.flatMap(({name, traces}): Segment[] => {
			const [trace] = traces;
			const cells = Math.max(0, room - name.length - 1);
			const columns = trace === undefined ? [] : columnsOf(trace.course, cells);
			const range = rangeOf([columns]);
			const bars = columns.map(each =>
				each === undefined || range === undefined
					? ' '
					: screen.signs.level(
							range.high === range.low ? 0.5 : (each.high - range.low) / (range.high - range.low),
						),
			);
			return [' ', {text: name, role: 'dim'}, ' ', {text: bars.join(''), role: 'accent'}];
		}),
	];
}

function plotsOf(
	drawn: EpisodeSeries,
	{chosen, unlike, rows}: Pick<PlotLook, 'chosen' | 'rows'> & Pick<SeriesKnown, 'unlike'>,
): Plot[] {
	const part = {from: drawn.from / drawn.frames, until: drawn.until / drawn.frames};
	const whole = {from: 0, until: 1};
	const height = Math.min(4, Math.max(2, Math.floor(rows / 10)));
	const plots: Plot[] = [];
	if (drawn.speed !== null) {
		const median = drawn.siblings?.speed ?? [];
		const beside = median.some(value => value !== null)
			? [{called: "siblings' median", course: courseOf(median), part: whole}]
			: [];
		plots.push({
			name: 'speed',
			rows: Math.min(8, Math.max(2, Math.floor(rows / 5))),
			traces: [{course: drawn.speed, part}, ...beside],
		});
	}
	const byName = new Map(drawn.channels.map(each => [`${each.stream}.${each.channel}`, each]));
	for (const name of shownChannels(chosen, {available: drawn.available, unlike})) {
		const course = byName.get(name);
		if (course === undefined) continue;
		const beside = byName.get(besideOf(name, drawn.available) ?? '');
		const state = beside === undefined ? [] : [{called: 'state', course: beside, part}];
		plots.push({name, rows: height, traces: [{course, part}, ...state]});
	}
	const progresses =
		drawn.progress_of ?? (drawn.progress === null ? [] : [{model: 'sarm', ...drawn.progress}]);
	for (const {model, ...heads} of progresses) {
		// LeRobot's first reward model needs no name while it is alone.
		const whose = progresses.length === 1 && model === 'sarm' ? '' : `${printable(model)} `;
		for (const head of ['sparse', 'dense'] as const) {
			const course = heads[head];
			if (course) plots.push({name: `${whose}progress, ${head}`, rows: 2, traces: [{course, part}]});
		}
	}
	return plots;
}

function drawPlot({name, rows, traces}: Plot, {place, screen, width}: PlotLook): Lines {
	const {ascii, spoken} = screen.drawing;
	const cells = plotWidth(width);
	const {window} = place;
	const shareOf = ({from, until}: {from: number; until: number}) => ({
		from: (window.from - from) / (until - from),
		until: (window.until - from) / (until - from),
	});
	const drawn = traces.map(
		({course, part}, number): Trace => ({
			extents: columnsOf(course, dotsAcross(cells, ascii), shareOf(part)),
			role: roles[number] ?? 'dim',
			dotted: number > 0,
		}),
	);
	const cursor = cellAt(place.cursor, window, cells);
	const words = traces.map(({called, course, part}, number) => {
		const columns = columnsOf(course, cells, shareOf(part));
		const value = cursor === undefined ? rangeOf([columns]) : columns[cursor];
		return `${called === undefined ? '' : `${called} `}${extentWords(value, screen, cursor === undefined)}${
			number === 0 || ascii || spoken ? '' : ' (dotted)'
		}`;
	});
	const head: Segment[] = [
		' ',
		{text: name, role: 'title'},
		'  ',
		{text: words[0] ?? '', role: cursor === undefined ? 'plain' : 'strong'},
		...words.slice(1).map(text => ({text: ` ${screen.signs.separator} ${text}`, role: 'dim' as const})),
	];
	if (spoken) return [head];
	return [
		head,
		...plotCells(drawn, {width: cells, height: rows, ascii}).map(row => [' ', ...cellSegments(row, cursor)]),
	];
}

function extentWords(extent: Extent, {signs}: Screen, isWhole: boolean): string {
	if (extent === undefined) return signs.none;
	const low = shortNumber(extent.low);
	const high = shortNumber(extent.high);
	return low === high ? low : isWhole ? `${low} to ${high}` : `${low}..${high}`;
}

/** Where it stood still, below the speed. */
function pauseLine({pauses, seconds}: EpisodeSeries, {place, screen, width}: PlotLook): Lines {
	if (pauses.length === 0) return [];
	const still = pauses.reduce((sum, {from, to}) => sum + to - from, 0);
	const words = `${pauses.length} ${pauses.length === 1 ? 'pause' : 'pauses'}, ${spanOf(still)}`;
	const meaning: Lines = wrap(`A pause: ${pauseWords} (${stillWords}).`, plotWidth(width)).map(line => [
		' ',
		{text: line, role: 'dim'},
	]);
	if (screen.drawing.spoken) return [[' ', words], ...meaning];
	const cells = plotWidth(width);
	const {window} = place;
	const length = window.until - window.from;
	const drawn = Array.from({length: cells}, (_, cell) => {
		const from = (window.from + (cell / cells) * length) * seconds;
		const until = (window.from + ((cell + 1) / cells) * length) * seconds;
		const isStill = pauses.some(pause => pause.from < until && pause.to > from);
		return {text: isStill ? screen.signs.line.heavy : ' ', role: isStill ? 'warning' : 'plain'} as const;
	});
	return [
		[' ', ...cellSegments(drawn, cellAt(place.cursor, window, cells))],
		[' ', {text: words, role: 'warning'}, {text: ', marked above', role: 'dim'}],
		...meaning,
	];
}

/** The subtasks below the time: a line for their places, and their names with the seconds at which they begin. */
function markerLines({markers, seconds}: EpisodeSeries, {place, screen, width}: PlotLook): Lines {
	if (markers == null || markers.length === 0) return [];
	const cells = plotWidth(width);
	const {window, cursor} = place;
	const at = cursor === undefined ? undefined : cursor * seconds;
	const now = markers.findLast(({from, to}) => at !== undefined && from <= at && at < to);
	const named = markers.map(({name, from}) => `${spanOf(from)} ${printable(name)}`);
	const words = now === undefined ? named.join(` ${screen.signs.separator} `) : printable(now.name);
	const lines = wrap(`${now === undefined ? 'subtasks' : 'subtask'}: ${words}`, cells)
		.slice(0, 3)
		.map((line): readonly Segment[] => [' ', {text: line, role: now === undefined ? 'dim' : 'strong'}]);
	if (screen.drawing.spoken) return lines;
	const length = window.until - window.from;
	const strip = Array.from({length: cells}, (_, cell) => {
		const from = (window.from + (cell / cells) * length) * seconds;
		const until = (window.from + ((cell + 1) / cells) * length) * seconds;
		const number = markers.findIndex(marker => marker.from < until && marker.to > from);
		const begins = number >= 0 && (markers[number]?.from ?? 0) >= from;
		if (number < 0) return {text: ' ', role: 'plain'} as const;
		const {vertical, horizontal} = screen.signs.line;
		return {text: begins ? vertical : horizontal, role: number % 2 === 0 ? 'accent' : 'plain'} as const;
	});
	return [[' ', ...cellSegments(strip, cellAt(cursor, window, cells))], ...lines];
}

/** The times at both ends of the window, and at the cursor between them. */
function timeLine({seconds}: EpisodeSeries, {place, width}: PlotLook): readonly Segment[] {
	const {window, cursor} = place;
	const cells = plotWidth(width);
	const left = spanOf(window.from * seconds);
	const right = spanOf(window.until * seconds);
	const at = cellAt(cursor, window, cells);
	const room = Math.max(1, cells - left.length - right.length);
	if (at === undefined || cursor === undefined) {
		return [' ', {text: left, role: 'dim'}, ' '.repeat(room), {text: right, role: 'dim'}];
	}
	const middle = `at ${spanOf(cursor * seconds)}`;
	const before = Math.max(
		1,
		Math.min(room - middle.length - 1, at - left.length - Math.floor(middle.length / 2)),
	);
	return [
		' ',
		{text: left, role: 'dim'},
		' '.repeat(before),
		{text: middle, role: 'strong'},
		' '.repeat(Math.max(1, room - before - middle.length)),
		{text: right, role: 'dim'},
	];
}

/** The range of each of the action's channels beside what nine of ten siblings stay within. */
function rangeLines({channels, siblings}: EpisodeSeries, {screen, width}: PlotLook): Lines {
	if (channels.length === 0) return [];
	const usual = new Map(
		(siblings?.channels ?? []).map(({name, low, high}) => [
			name,
			low === null || high === null ? undefined : {low, high},
		]),
	);
	const nameWidth = Math.min(24, Math.max(8, ...channels.map(({channel}) => channel.length)));
	const figures = 20;
	const room = plotWidth(width) - nameWidth - figures - 2;
	const {heavy, horizontal} = screen.signs.line;
	const legend =
		siblings === null
			? 'no siblings to compare with'
			: `${heavy} here ${horizontal} nine of ten siblings ${screen.signs.progress(1, 1)} beyond them`;
	const heading: Segment[] = [' ', {text: 'Ranges of the action', role: 'title'}];
	const title: Segment[] = screen.drawing.spoken ? heading : [...heading, '  ', {text: legend, role: 'dim'}];
	return [
		title,
		...channels.map(({channel, low, high}): readonly Segment[] => {
			const own = low === null || high === null ? undefined : {low, high};
			const beside = usual.get(channel);
			const isBeyond =
				own !== undefined && beside !== undefined && (own.low < beside.low || own.high > beside.high);
			const line: Segment[] = [
				' ',
				screen.cell(channel, nameWidth, {cut: 'middle'}),
				' ',
				screen.cell(extentWords(own, screen, true), figures, {role: isBeyond ? 'warning' : 'plain'}),
			];
			if (screen.drawing.spoken || room < 4) return line;
			const strip = cellSegments(rangeStrip(own, beside, {width: room, signs: screen.signs}));
			return lineWidth(line) + room > width ? line : [...line, ' ', ...strip];
		}),
	];
}
