import type {IngestProblem} from '../../contract/local.ts';
import type {AugmentationProgress, AugmentationSummary} from '../../contract/local-augmentations.ts';
import {keptProblems} from '../operations/ingest-store.ts';
import {type ChildBounds, reasonForEnd, runBounded} from '../workers/bounded-child.ts';
import {lineReader} from '../workers/child-report.ts';
import {programEntry} from '../workers/program-entry.ts';
import {type TrimRequest, trimReport} from './trim-report.ts';

/** The findings of a trim so far. */
export type TrimFindings = {
	readonly progress: AugmentationProgress | null;
	readonly problems: readonly IngestProblem[];
	readonly problemCount: number;
};

type TrimOutcome =
	| {readonly kind: 'done'; readonly summary: AugmentationSummary}
	| {readonly kind: 'failed'; readonly message: string; readonly lastWords: string}
	| {readonly kind: 'stopped'};

/**
 * Trims one dataset in a process of its own.
 *
 * @param onProgress called for each report; write it down at your own pace
 */
export async function runTrim({
	request,
	bounds,
	signal,
	onProgress,
}: {
	request: TrimRequest;
	bounds: ChildBounds;
	signal: AbortSignal;
	onProgress: (findings: TrimFindings) => void;
}): Promise<{readonly outcome: TrimOutcome; readonly findings: TrimFindings}> {
	const problems: IngestProblem[] = [];
	let problemCount = 0;
	let progress: AugmentationProgress | null = null;
	let summary: AugmentationSummary | undefined;
	let failure: string | undefined;
	const findings = (): TrimFindings => ({progress, problems, problemCount});
	const child = await runBounded({
		entry: programEntry('embedded-service.js', 'main.ts'),
		args: ['trim'],
		input: JSON.stringify(request),
		bounds,
		signal,
		onOutput: lineReader(trimReport, ({type, ...report}) => {
			if (type === 'progress') progress = report as AugmentationProgress;
			else if (type === 'done') summary = report as AugmentationSummary;
			else if (type === 'failed') failure = (report as {message: string}).message;
			else if (++problemCount <= keptProblems) problems.push(report as IngestProblem);
			onProgress(findings());
		}),
	});
	const end = await child.end;
	const {lastWords} = end;
	const outcome = ((): TrimOutcome => {
		if (end.ended === 'stopped') return {kind: 'stopped'};
		if (failure !== undefined) return {kind: 'failed', message: failure, lastWords};
		if (summary && end.code === 0) return {kind: 'done', summary};
		const {folder} = request;
		const message = reasonForEnd(end, bounds, `Trimming ${folder}`, `trimmed ${folder}`);
		return {kind: 'failed', message, lastWords};
	})();
	return {outcome, findings: findings()};
}
