import {Box} from 'ink';
import {type ReactNode, useEffect, useMemo} from 'react';
import {Line} from '../../components/line.tsx';
import {type Row, Rows} from '../../components/rows.tsx';
import {rule} from '../../components/rule.ts';
import {useScreen} from '../../components/screen.tsx';
import type {Segment} from '../../components/segment.ts';
import {useExplorer, useJobCount, useJobs, useUploadCount, useUploads} from '../../hooks/explorer.tsx';
import {useNow} from '../../hooks/now.ts';
import {useMouseArea} from '../../input/react.tsx';
import {recentJobs, recentUploads} from '../../store/activity/recent-work.ts';
import {stuckFor, usualTimes} from '../../store/jobs/job-faults.ts';
import {viewed} from '../../store/state/view-transitions.ts';
import {jobRow} from '../jobs/job-row.ts';
import {uploadRow} from '../uploads/uploads-pane.tsx';

type BesidePanesProps = {
	readonly width: number;
	/** Of the titles and the rows below them. */
	readonly height: number;
};

/** A blank at either end of a row. */
const margins = 2;

/** The uploads and the jobs under way, side by side; where there are none of one kind, the other has all the room. */
export function BesidePanes({width, height}: BesidePanesProps): ReactNode {
	const screen = useScreen();
	const {uploads: uploadFeed, jobs: jobsFeed} = useExplorer();
	useEffect(() => {
		const feeds = [uploadFeed, jobsFeed];
		for (const feed of feeds) feed.showBeside(true);
		return () => {
			for (const feed of feeds) feed.showBeside(false);
		};
	}, [uploadFeed, jobsFeed]);
	const now = useNow();
	const {entries} = useUploads();
	const {jobs: known} = useJobs();
	const usual = useMemo(() => usualTimes(known), [known]);
	const uploads = recentUploads(entries, now);
	const jobs = recentJobs(known, now);
	const left = jobs.length === 0 ? width : uploads.length === 0 ? 0 : Math.floor(width * 0.45);
	const right = width - left;
	const rows = height - 1;
	return (
		<Box width={width} height={height}>
			{left > 0 && (
				<BesidePane
					view="uploads"
					title="Uploads"
					width={left}
					height={height}
					hidden={uploads.length - rows}
					drawn={uploads.slice(0, rows).map(entry => uploadRow(entry, {width: left - margins, screen, now}))}
				/>
			)}
			{right > 0 && (
				<BesidePane
					view="jobs"
					title="Jobs"
					width={right}
					height={height}
					hidden={jobs.length - rows}
					drawn={jobs
						.slice(0, rows)
						.map(job => jobRow(job, {width: right - margins, screen, now, stuck: stuckFor(job, usual, now)}))}
				/>
			)}
		</Box>
	);
}

type BesidePaneProps = {
	readonly view: 'uploads' | 'jobs';
	readonly title: string;
	readonly width: number;
	readonly height: number;
	/** How many have no row. */
	readonly hidden: number;
	readonly drawn: readonly (readonly Segment[])[];
};

/** Running uploads or jobs; a press goes to their view. */
function BesidePane({view, title, width, height, hidden, drawn}: BesidePaneProps): ReactNode {
	const explorer = useExplorer();
	const screen = useScreen();
	const area = useMouseArea({
		id: `beside-${view}`,
		level: 'pane',
		press: () => explorer.update(viewed(view)),
	});
	const right = hidden > 0 ? `${hidden} more` : '';
	return (
		<Box ref={area} flexDirection="column" width={width} height={height} overflow="hidden">
			<Line segments={rule(screen, width, {title: ` ${title} `, right})} width={width} />
			<Rows rows={drawn.map((segments): Row => ({segments: [' ', ...segments]}))} width={width} />
		</Box>
	);
}

/** The smallest terminal that shows uploads and jobs below the lake. */
const least = {width: 140, height: 44} as const;

/** No more of either are shown; the rest is in its view. */
export const mostRows = 4;

/** Rows of the panes below the lake, their titles included; 0 where there is nothing to show or no room. */
export function useBesideRows({width, height}: {readonly width: number; readonly height: number}): number {
	const {drawing} = useScreen();
	// A terminal that only prints lines would print another each second that a job runs.
	const hasRoom = drawing.attributes && width >= least.width && height >= least.height;
	const rows = Math.min(mostRows, Math.max(useUploadCount(), useJobCount()));
	return hasRoom && rows > 0 ? rows + 1 : 0;
}
