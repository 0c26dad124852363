import type {IngestProgress} from '../../contract/local.ts';
import type {IngestStore} from '../operations/ingest-store.ts';
import type {Log} from '../process/log.ts';
import {systemReason} from '../start-error.ts';
import type {Findings} from './ingest-run.ts';

/** How often progress is written down. */
const progressMs = 200;

/** What notes how far an ingest has come, as often as that is worth it. */
export type ProgressWriter = (progress: IngestProgress, findings: Findings) => void;

export function progressWriter(store: IngestStore, log: Log, operationId: string): ProgressWriter {
	let last = Number.NEGATIVE_INFINITY;
	return (progress, {problems, problemCount}) => {
		const now = performance.now();
		if (now - last < progressMs) return;
		last = now;
		try {
			store.progress(operationId, JSON.stringify(progress), problems, problemCount);
		} catch (error) {
			log(`progress could not be written down: ${systemReason(error)}`);
		}
	};
}
