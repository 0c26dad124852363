import {randomUUID} from 'node:crypto';
import type {Client} from '../../client/client.ts';
import {wait} from '../../client/retry.ts';
import type {DatasetItem} from '../../contract/listing.ts';
import {readProgressDetail} from '../../contract/progress-detail.ts';
import {composeSelection, leftOutWords, readComposition} from '../export/compose-selection.ts';
import type {Selection} from '../selection/selection.ts';
import type {Notify} from '../state/notices.ts';
import type {Outbox} from '../state/outbox.ts';
import {type Draft, withDataset} from './draft.ts';
import {datasetChoice} from './finetune-facts.ts';

type Composing = NonNullable<Draft['composing']>;

type ComposingOptions = {
	readonly client: Client;
	readonly outbox: Outbox;
	/** A dataset by its id. */
	readonly findDataset: (id: string, signal: AbortSignal) => Promise<DatasetItem | undefined>;
	readonly signal: AbortSignal;
	readonly redraft: (change: (draft: Draft) => Draft) => void;
	readonly notify: Notify;
	/** Says how far it is. */
	readonly say: (words: string) => void;
	/** Called when something was ordered or made. */
	readonly changed: () => void;
};

const lookEveryMs = 500;

const withoutComposing = ({composing: _, ...draft}: Draft): Draft => draft;

/** Has one dataset composed for a fine-tune, of episodes that are none. */
export class FinetuneComposing {
	readonly #options: ComposingOptions;

	constructor(options: ComposingOptions) {
		this.#options = options;
	}

	/** Orders it, waits for it, and takes it for the draft's. @throws with what speaks against it */
	async order(name: string, selection: Selection, withRejected: boolean): Promise<void> {
		const {redraft, signal, changed, notify} = this.#options;
		const composing = {operationId: randomUUID(), name};
		// Before it is sent: the next run can look what became of it.
		redraft(draft => ({...draft, composing}));
		const outcome = await composeSelection(
			this.#options,
			{...composing, selection, withRejected},
			signal,
		).catch((error: unknown) => {
			redraft(withoutComposing);
			throw error;
		});
		if (outcome.kind === 'unknown') throw new Error(outcome.reason);
		if (outcome.kind === 'refused') {
			redraft(withoutComposing);
			throw new Error(outcome.reasons.join('\n'));
		}
		const left = leftOutWords(outcome.record.rejected_left_out);
		if (left !== undefined) notify('info', `${name} is being made; ${left}.`);
		changed();
		await this.finish(composing);
	}

	/** Waits for what was ordered, and takes it for the draft's dataset. @throws with why none came of it */
	async finish(composing: Composing): Promise<void> {
		const {findDataset, signal, redraft, changed} = this.#options;
		const {name} = composing;
		try {
			const item = await findDataset(await this.#made(composing), signal);
			if (item === undefined) throw new Error(`${name} is composed but not listed by the service.`);
			redraft(draft => ({...withDataset(draft, datasetChoice(item), draft.filter), picked: draft.picked}));
			changed();
		} finally {
			if (!signal.aborted) redraft(withoutComposing);
		}
	}

	/** @returns the id of the dataset that was made */
	async #made({operationId, name}: Composing): Promise<string> {
		const {client, signal, say} = this.#options;
		say(`Composing ${name}: requested.`);
		for (;;) {
			const record = await readComposition(client, operationId, signal);
			if (record === undefined) throw new Error(`${name} was not started: the service does not know it.`);
			const {phase, done, message, progress_json: detail} = record.status;
			if (phase === 'finalized') return record.repo_id;
			if (done) throw new Error(`${name} was not composed: ${message ?? `it is ${phase}`}`);
			const progress = readProgressDetail(detail);
			const amount = progress?.total === undefined ? '' : ` ${progress.done} of ${progress.total}`;
			say(`Composing ${name}: ${progress?.step ?? phase}${amount}.`);
			await wait(lookEveryMs, signal);
		}
	}
}
