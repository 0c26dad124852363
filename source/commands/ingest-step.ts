import {readProgressDetail} from '../contract/progress-detail.ts';
import type {SyncStatus} from '../contract/sync-status.ts';
import type {Step} from './progress.ts';

/** How far an ingest is, for a bar. */
export function ingestStep(subject: string, {phase, progress_json}: SyncStatus): Step {
	const {step, done, total, unit} = readProgressDetail(progress_json) ?? {};
	return {subject, step: step === undefined ? phase : `${phase}, ${step}`, done, total, unit};
}
