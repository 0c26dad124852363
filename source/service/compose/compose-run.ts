import type {IngestProgress} from '../../contract/local.ts';
import type {ComposeSummary} from '../../contract/local-compose.ts';
import {programEntry} from '../launch/program-entry.ts';
import {type ChildEnd, runBounded} from '../supervisor/bounded-child.ts';
import type {ChildBounds} from '../supervisor/child-bounds.ts';
import {lineReader} from '../supervisor/child-report.ts';
import {type ComposeWork, composeReport} from './compose-messages.ts';

function reasonFor({ended, signal, code, lastWords}: ChildEnd, bounds: ChildBounds): string {
	if (ended === 'memory') {
		const mib = Math.round(bounds.memoryBytes / 1024 / 1024);
		return `writing it took more than ${mib} MiB of memory, the bound for one process. Raise it with LAKESCOPE_INGEST_MEMORY_MIB`;
	}
	if (ended === 'stalled') return `writing it made no progress for ${bounds.stallMs / 1000} s and was ended`;
	return `the process that wrote it ended early (${signal ?? `exit code ${code}`}) ${lastWords.split('\n')[0]}`;
}

/**
 * Composes a dataset in a process of its own.
 *
 * @throws {Error} with the reason, as the end of a sentence; the signal's where that was aborted
 */
export async function runCompose({
	work,
	bounds,
	signal,
	onProgress,
}: {
	work: ComposeWork;
	bounds: ChildBounds;
	signal: AbortSignal;
	onProgress: (progress: IngestProgress) => void;
}): Promise<ComposeSummary> {
	let summary: ComposeSummary | undefined;
	let failure: string | undefined;
	const child = await runBounded({
		entry: programEntry('embedded-service.js', 'main.ts'),
		args: ['compose'],
		input: JSON.stringify(work),
		bounds,
		signal,
		onOutput: lineReader(composeReport, ({type, ...report}) => {
			if (type === 'progress') onProgress(report as IngestProgress);
			else if (type === 'done') summary = report as ComposeSummary;
			else failure = (report as {message: string}).message;
		}),
	});
	const end = await child.end;
	signal.throwIfAborted();
	if (failure !== undefined) throw new Error(failure);
	if (summary && end.code === 0) return summary;
	throw new Error(reasonFor(end, bounds));
}
