import type {IngestRecord, SampleStatus} from '../contract/local.ts';
import {readProgressDetail, sampleProgress} from '../contract/progress-detail.ts';
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

function ofSample(sample: SampleStatus): Preparation[] {
	const {phase, step = phase === 'absent' ? 'begins' : phase} = sample;
	if (phase === 'ready' || phase === 'failed') return [];
	return [{subject: 'the sample', step, ...amountOf(sampleProgress(sample))}];
}

function ofIngest({dataset_name: subject, status}: IngestRecord): Preparation {
	const {step = status.phase, ...counts} = readProgressDetail(status.progress_json) ?? {};
	return {subject, step, ...amountOf(counts)};
}

type Counts = {
	readonly done?: number | undefined;
	readonly total?: number | undefined;
	readonly unit?: string | undefined;
};

function amountOf({done, total, unit}: Counts): Pick<Preparation, 'share' | 'amount'> {
	if (done === undefined || !total) return {share: undefined, amount: ''};
	return {share: done / total, amount: [`${done}/${total}`, unit].filter(Boolean).join(' ')};
}
