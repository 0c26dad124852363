import type {IngestRecord, SampleStatus} from '../contract/local.ts';
import {ingestProgress} from '../contract/local.ts';
import type {LocalKnowledge} from './local-watch.ts';

/** Something on its way into the lake. */
export type Preparation = {
	readonly subject: string;
	readonly step: string;
	/** How much is done, between 0 and 1; undefined while nobody knows how much there is. */
	readonly share: number | undefined;
	/** `120/400 episodes` */
	readonly amount: string;
};

/** What is being prepared just now: the sample, and the ingests that are not done. */
export function preparations({sample, ingests}: LocalKnowledge): readonly Preparation[] {
	const moving = ingests.filter(({status}) => !status.done).map(ofIngest);
	return sample === undefined ? moving : [...ofSample(sample), ...moving];
}

function ofSample({phase, datasets_done: done, datasets_total: total, step}: SampleStatus): Preparation[] {
	if (phase === 'ready' || phase === 'failed') return [];
	return [
		{
			subject: 'the sample',
			step: step ?? (phase === 'absent' ? 'begins' : phase),
			share: total > 0 ? done / total : undefined,
			amount: total > 0 ? `${done}/${total} datasets` : '',
		},
	];
}

function ofIngest({dataset_name: subject, status}: IngestRecord): Preparation {
	const {phase, progress_json: json} = status;
	const progress = !json ? undefined : readProgress(json);
	if (progress === undefined) return {subject, step: phase, share: undefined, amount: ''};
	const {done, total, unit, step} = progress;
	return {subject, step, share: total > 0 ? done / total : undefined, amount: `${done}/${total} ${unit}`};
}

/** The interface leaves the shape of `progress_json` open: what is not our own is not read. */
function readProgress(json: string) {
	try {
		const read = ingestProgress.safeParse(JSON.parse(json));
		return read.success ? read.data : undefined;
	} catch {
		return undefined;
	}
}
