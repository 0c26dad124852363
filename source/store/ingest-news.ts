import type {IngestRecord, SampleStatus} from '../contract/local.ts';
import type {LocalKnowledge} from './local-watch.ts';
import type {News} from './lookout/endings.ts';
import {generationWords} from './uploads/generation-words.ts';

/** What is worth saying when ingests that were on their way have ended, or the sample could not be made. */
export function ingestNews(before: LocalKnowledge, after: LocalKnowledge): readonly News[] {
	const wereMoving = new Set(
		before.ingests.filter(({status}) => !status.done).map(({operation_id}) => operation_id),
	);
	const ended = after.ingests.filter(({operation_id, status}) => status.done && wereMoving.has(operation_id));
	// Fourteen sentences about datasets that nobody recorded would hide the keys for a minute.
	const own = after.document?.lake.sample ? [] : ended.map(newsOf);
	return [...own, ...sampleNews(before.sample, after.sample)];
}

function newsOf({dataset_name, status, problem_count}: IngestRecord): News {
	if (status.phase === 'failed') {
		return {
			kind: 'error',
			text: `${dataset_name} was not taken in: ${status.message || 'no reason was given'}`,
		};
	}
	const episodes = status.episode_count ?? 0;
	const [, ...changes] = generationWords(status);
	const parts = [`${episodes} episode${episodes === 1 ? '' : 's'}`, ...changes];
	const taken = `${dataset_name} is in the lake: ${parts.join(', ')}`;
	if (problem_count === 0) return {kind: 'info', text: `${taken}.`};
	const problems = problem_count === 1 ? 'one problem' : `${problem_count} problems`;
	const way = {action: 'view.uploads', does: 'leads to the uploads, where they stand'};
	return {kind: 'warning', text: `${taken}, with ${problems}.`, way};
}

function sampleNews(before: SampleStatus | undefined, after: SampleStatus | undefined): readonly News[] {
	if (after?.phase !== 'failed' || before?.phase === 'failed') return [];
	return [{kind: 'error', text: `The sample could not be made: ${after.message ?? 'no reason was given'}`}];
}
