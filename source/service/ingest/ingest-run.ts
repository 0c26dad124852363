import type {IngestProblem, IngestProgress} from '../../contract/local.ts';
import {readConfig} from '../../files/config.ts';
import {keptProblems} from '../operations/ingest-store.ts';
import {type ChildBounds, reasonForEnd, runBounded} from '../workers/bounded-child.ts';
import {type ChildReport, childReport, lineReader} from '../workers/child-report.ts';
import {killGroup, startOfProcess} from '../workers/process-facts.ts';
import {programEntry} from '../workers/program-entry.ts';
import type {ChildRequest} from './child-request.ts';

export type Findings = {
	readonly problems: readonly IngestProblem[];
	readonly problemCount: number;
	/** One of the problems, told or not, is that a training would fail. */
	readonly preventsTraining: boolean;
};

type IngestOutcome = Findings &
	(
		| {readonly kind: 'done'; readonly episodeCount: number; readonly totalFrames: number}
		| {readonly kind: 'failed'; readonly message: string; readonly lastWords: string}
		| {readonly kind: 'stopped'}
	);

/** Sums up the reports of a child. */
class ReportSummary {
	progress: IngestProgress | undefined;
	last: Extract<ChildReport, {type: 'done' | 'failed'}> | undefined;
	problemCount = 0;
	preventsTraining = false;
	readonly problems: IngestProblem[] = [];

	note(report: ChildReport): void {
		const {type, ...rest} = report;
		if (type === 'progress') this.progress = rest as IngestProgress;
		else if (type === 'problem') {
			this.problemCount++;
			const problem = rest as IngestProblem;
			if (problem.prevents_training) this.preventsTraining = true;
			if (this.problems.length < keptProblems) this.problems.push(problem);
		} else this.last = report as Extract<ChildReport, {type: 'done' | 'failed'}>;
	}
}

/**
 * Reads one dataset in a child process of its own, whose `staging` folder then holds what there is to publish.
 *
 * @param onStarted called once the process runs
 * @param onProgress called for each report; write it down at your own pace
 */
export async function runIngest({
	request,
	bounds,
	signal,
	onStarted,
	onProgress,
}: {
	request: ChildRequest;
	bounds: ChildBounds;
	signal: AbortSignal;
	onStarted: (child: {pid: number; started: string}) => void;
	onProgress: (progress: IngestProgress, findings: Findings) => void;
}): Promise<IngestOutcome> {
	const found = new ReportSummary();
	const {config} = await readConfig();
	const child = await runBounded({
		entry: programEntry('ingest-child.js', 'ingest/child.ts'),
		input: `${JSON.stringify({...request, doubt: config.doubt})}\n`,
		bounds,
		signal,
		onOutput: lineReader(childReport, report => {
			found.note(report);
			if (found.progress) onProgress(found.progress, found);
		}),
	});
	try {
		onStarted({pid: child.pid, started: await startOfProcess(child.pid)});
	} catch (error) {
		killGroup(child.pid);
		await child.end;
		throw error;
	}
	const end = await child.end;
	const {problems, problemCount, preventsTraining} = found;
	const findings = {problems, problemCount, preventsTraining};
	if (end.ended === 'stopped') return {kind: 'stopped', ...findings};
	const {last} = found;
	if (last?.type === 'failed') {
		return {kind: 'failed', message: last.message, lastWords: end.lastWords, ...findings};
	}
	if (last?.type === 'done' && end.code === 0) {
		return {kind: 'done', episodeCount: last.episode_count, totalFrames: last.total_frames, ...findings};
	}
	const detail = found.progress?.detail;
	const where = detail ? `${detail} in ${request.folder}` : request.folder;
	const message = reasonForEnd(end, bounds, `Reading ${where}`, `read ${where}`);
	return {kind: 'failed', message, lastWords: end.lastWords, ...findings};
}
