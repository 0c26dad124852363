import type {Screen} from '../../components/screen.tsx';
import {cellsOf, type Segment} from '../../components/segment.ts';
import type {PhaseTiming} from '../../store/job-timing.ts';
import {phaseSeconds} from '../../store/jobs/job-entry.ts';
import {clockSeconds, moment, zone} from '../../terminal/quantity.ts';
import {phaseRole, phaseSign, retryWords, roughly} from './job-words.ts';

const tookWidth = 20;

/** The first and the last moment that a chart shows; undefined where no event tells a time. */
export function chartSpan(
	timings: readonly PhaseTiming[],
	now: number,
): {readonly from: number; readonly to: number} | undefined {
	const starts = timings.flatMap(({startedAt}) => startedAt ?? []);
	if (starts.length === 0) return undefined;
	const isRunning = timings.some(
		({status, startedAt, endedAt}) =>
			status === 'in_progress' && startedAt !== undefined && endedAt === undefined,
	);
	const ends = timings.flatMap(({startedAt, endedAt, events}) => [
		endedAt ?? startedAt ?? 0,
		...events.flatMap(({at}) => at ?? []),
	]);
	const from = Math.min(...starts);
	// A service whose clock is ahead of this one is still shown whole.
	return {from, to: Math.max(from + 1000, ...ends, isRunning ? now : 0)};
}

/** One phase on the axis: its bar, a mark an event, retries by number. */
function barOf(
	timing: PhaseTiming,
	{width, screen, from, to, now}: {width: number; screen: Screen; from: number; to: number; now: number},
): Segment {
	const {signs} = screen;
	const place = (at: number) =>
		Math.max(0, Math.min(width - 1, Math.floor(((at - from) / (to - from)) * width)));
	const cells = Array.from({length: width}, () => ' ');
	const {startedAt, status} = timing;
	if (startedAt !== undefined) {
		const last = timing.endedAt ?? (status === 'in_progress' ? Math.max(now, startedAt) : startedAt);
		const filled = signs.progress(1, 1);
		for (let at = place(startedAt); at <= place(last); at++) cells[at] = filled;
	}
	for (const {at, retry} of timing.events) {
		if (at !== undefined) cells[place(at)] = retry ? String(retry % 10) : signs.line.vertical;
	}
	return {text: cells.join(''), role: phaseRole(status)};
}

/** The phases of a job on an axis of time, a line each, in at most `width` cells; the zone is said. */
export function phaseChart(
	timings: readonly PhaseTiming[],
	{width, screen, now}: {width: number; screen: Screen; now: number},
): readonly (readonly Segment[])[] {
	const {signs, cell, drawing} = screen;
	const span = chartSpan(timings, now);
	const names = timings.map(({name}) => cellsOf(name, drawing.ascii) + 2);
	const nameWidth = Math.max(8, Math.min(22, Math.floor(width / 4), Math.max(...names, 0)));
	const barWidth = Math.max(8, width - nameWidth - tookWidth - 3);
	const lines = timings.map((timing): readonly Segment[] => {
		const {name, status, retries} = timing;
		const seconds = phaseSeconds(timing, now);
		const words = [seconds === undefined ? '' : roughly(seconds), retryWords(retries)].join('');
		return [
			' ',
			cell(`${phaseSign(status, signs)} ${name}`, nameWidth, {role: phaseRole(status)}),
			' ',
			span === undefined ? ' '.repeat(barWidth) : barOf(timing, {width: barWidth, screen, ...span, now}),
			' ',
			cell(words, tookWidth),
		];
	});
	if (span === undefined) return lines;
	const isOneDay = moment(span.from).slice(0, 10) === moment(span.to).slice(0, 10);
	const first = moment(span.from);
	const last = isOneDay ? clockSeconds(span.to) : moment(span.to);
	const gap = Math.max(1, barWidth - first.length - last.length);
	const axis: readonly Segment[] = [
		' ',
		cell('', nameWidth),
		' ',
		{text: `${first}${' '.repeat(gap)}${last}`, role: 'dim'},
		' ',
		{text: zone(span.to), role: 'dim'},
	];
	return [...lines, axis];
}
