import {createStore, type StoreApi} from 'zustand/vanilla';
import type {IngestRecord, SampleStatus} from '../../contract/local.ts';
import {readProgressDetail, sampleProgress} from '../../contract/progress-detail.ts';
import type {LocalKnowledge} from '../queries/local-document.ts';

/** Something long that this program does itself: sending a dataset. */
export type Work = Preparation & {
	readonly id: number;
	/** The consequence of cancelling it, in a sentence. */
	readonly loss: string;
	/** Calls it off. */
	readonly cancel: () => void;
};

/** Says how far a piece of work is. */
type WorkReport = {
	notify(progress: Pick<Preparation, 'step' | 'share' | 'amount'>): void;
	/** It is over, however. */
	end(): void;
};

/** The work of this program, so that every view shows it and can cancel it. */
export class WorkList {
	/** Newest last. */
	readonly known: StoreApi<readonly Work[]> = createStore((): readonly Work[] => []);
	#last = 0;

	begin({subject, loss}: Pick<Work, 'subject' | 'loss'>, cancel: () => void): WorkReport {
		const id = ++this.#last;
		const work: Work = {id, subject, loss, cancel, step: '', share: undefined, amount: ''};
		this.known.setState(all => [...all, work], true);
		return {
			notify: progress =>
				this.known.setState(all => all.map(each => (each.id === id ? {...each, ...progress} : each)), true),
			end: () => this.known.setState(all => all.filter(each => each.id !== id), true),
		};
	}

	/** Calls everything off. */
	stop(): void {
		for (const {cancel} of this.known.getState()) cancel();
	}
}

/** Something on its way into the lake. */
export type Preparation = {
	readonly subject: string;
	readonly step: string;
	/** How much is done, between 0 and 1; undefined while the total is not known. */
	readonly share: number | undefined;
	/** `120/400 episodes` */
	readonly amount: string;
};

/** The preparations under way: the sample, and the ingests that are not done. */
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
