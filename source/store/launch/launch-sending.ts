import {randomUUID} from 'node:crypto';
import type {Client} from '../../client/client.ts';
import type {FinetuneRequest} from '../../contract/finetune.ts';
import {readJobs} from '../jobs/job-list.ts';
import type {Notice} from '../notices/notice.ts';
import type {NewOrder, Orders, Outcome, Ways} from '../orders/orders.ts';
import type {Remembered} from '../remembered/remembered.ts';
import type {Order} from '../remembered/remembered-state.ts';
import {type Draft, draftSchema} from './draft.ts';
import {type LaunchForm, openedForm, refusedBy, type Stage, staged} from './launch-form.ts';
import {problemsOfRefusal} from './refusal.ts';
import {type Judging, requestOf, trialOf, wholeRequest} from './request.ts';
import {jobMadeBy} from './settle.ts';

type SendingOptions = {
	readonly client: Client;
	readonly orders: Orders;
	readonly remembered: Remembered;
	readonly signal: AbortSignal;
	readonly form: () => LaunchForm;
	readonly change: (step: (form: LaunchForm) => LaunchForm) => void;
	/** What a draft is judged by. */
	readonly known: () => Judging;
	/** The form holds nothing any more: what was in it is a job. */
	readonly emptied: () => void;
	readonly close: () => void;
	/** What the form offers may have gone meanwhile. */
	readonly refused: () => void;
	readonly tell: (kind: Notice['kind'], text: string) => void;
	/** Called when a job was made. */
	readonly changed: () => void;
};

/** Shows a job that was just made. */
export type Arrived = (jobId: string) => void;

type Made = {readonly jobId: string; readonly message: string | undefined};

const answerLost = 'Its answer was lost; the job list has it, so it was launched once.';

/** Sends fine-tunes, each once, and settles by the job list what was not answered. */
export class LaunchSending {
	readonly #options: SendingOptions;
	/** What was sent and is not settled. */
	#sent: NewOrder | undefined;

	constructor(options: SendingOptions) {
		this.#options = options;
	}

	/** @param arrived called with the job's id once it is there */
	async launch({isTrial}: {readonly isTrial: boolean}, arrived: Arrived): Promise<void> {
		const {client, orders, known, form} = this.#options;
		const {draft} = form();
		const whole = wholeRequest(draft, known());
		const request = isTrial ? trialOf(whole) : whole;
		// What was said of the last one is over with the next.
		this.#options.change(form => ({...staged(form, {at: 'sending', isTrial}), refused: undefined}));
		let before: readonly string[];
		try {
			before = await this.#jobIds();
		} catch (error) {
			this.#refuse(error);
			return;
		}
		const name = request.name ?? `the fine-tune of ${request.dataset_id}`;
		const order: NewOrder = {
			id: randomUUID(),
			kind: 'fine-tune',
			name,
			request,
			before: [...before],
			isTrial,
			draft,
		};
		this.#sent = order;
		const send = async () => {
			const {data} = await client.createFinetune(request);
			return {jobId: data.job_id, message: data.message ?? undefined};
		};
		this.#ended(order, await orders.send(order, {send, ...this.#ways(order)}), arrived);
	}

	/** Reads the job list again for what was sent. */
	async settle(arrived: Arrived): Promise<void> {
		const {stage} = this.#options.form();
		const order = this.#sent;
		if (order === undefined || stage.at !== 'unknown') return;
		const outcome = await this.#options.orders.settle(order.id, this.#ways(order), stage.reason);
		this.#ended(order, outcome, arrived);
	}

	/** Back to the fields, by somebody who knows that the job is not there. */
	edit(): void {
		if (this.#sent !== undefined) this.#options.orders.drop(this.#sent.id);
		this.#sent = undefined;
		this.#stage({at: 'editing'});
	}

	/** Settles what an earlier run had sent when it ended. It is never sent again. */
	async takeUp(order: Order): Promise<void> {
		const {orders, tell, change} = this.#options;
		const draft = draftOf(order);
		this.#sent = order;
		if (draft !== undefined) change(() => openedForm(draft, 'request'));
		const reason = `lakescope ended while ${order.name} was being sent.`;
		const ways = this.#ways(order);
		const shown = (jobId: string) => tell('info', `It was launched all the same: job:${jobId}`);
		const outcome = await orders.settle(order.id, ways, reason);
		this.#ended(order, outcome, shown);
		if (outcome.kind !== 'unknown') return;
		tell(
			'warning',
			`${reason} The job list does not have it so far, and it is not sent again by itself; “: draft” shows it.`,
		);
		const {look, note} = ways;
		const later = await orders.settle(order.id, {look, note}, reason, {isPatient: true});
		// Somebody may have settled it meanwhile.
		if (this.#sent?.id === order.id) this.#ended(order, later, shown);
	}

	#ways(order: NewOrder): Omit<Ways<Made>, 'send'> & Required<Pick<Ways<Made>, 'note'>> {
		const {client, remembered} = this.#options;
		const request = order.request as FinetuneRequest;
		const before = new Set(order.before);
		return {
			look: async signal => {
				const {items} = await readJobs(client, signal);
				const jobId = jobMadeBy(request, items, before);
				return jobId === undefined ? undefined : {jobId, message: answerLost};
			},
			note({jobId}) {
				const {filter, picked, dataset} = draftOf(order) ?? {};
				remembered.launched({
					jobId,
					hours: request.hours,
					dataset: request.dataset_id,
					request,
					...(request.name !== undefined && {name: request.name}),
					...(filter !== undefined && {filter}),
					...(picked !== undefined && dataset && {picked: {datasetId: dataset.id, episodes: picked}}),
				});
			},
			lost: reason => this.#stage({at: 'settling', reason}),
		};
	}

	#ended(order: NewOrder, outcome: Outcome<Made>, arrived: Arrived): void {
		const {tell} = this.#options;
		switch (outcome.kind) {
			case 'made':
				this.#arrive(order, outcome.made, arrived);
				break;
			case 'refused':
				this.#sent = undefined;
				this.#refuse(outcome.error);
				break;
			case 'absent':
				this.#sent = undefined;
				this.#stage({at: 'editing'});
				tell(
					'warning',
					`The job list does not have ${order.name}: it was not made. “: draft” goes on with it.`,
				);
				break;
			case 'unknown':
				this.#stage({at: 'unknown', reason: outcome.reason});
				break;
			case 'left':
				break;
		}
	}

	/** The jobs that are listed before another is sent: by them a lost answer is settled. */
	async #jobIds(): Promise<readonly string[]> {
		try {
			const {items} = await readJobs(this.#options.client, this.#options.signal);
			return items.map(({job_id}) => job_id);
		} catch (error) {
			const why = error instanceof Error ? error.message : String(error);
			throw new Error(
				`Nothing was sent: the job list, by which a lost answer would be settled, cannot be read. ${why}`,
			);
		}
	}

	#refuse(error: unknown): void {
		const {signal, change, known, refused} = this.#options;
		if (signal.aborted) return;
		const problems = problemsOfRefusal(error);
		change(form => refusedBy(form, {request: requestOf(form.draft, known()), problems}));
		refused();
	}

	#arrive({isTrial}: NewOrder, {jobId, message}: Made, arrived: Arrived): void {
		const {tell, emptied, close, changed} = this.#options;
		this.#sent = undefined;
		const words = isTrial ? 'Launched for a trial; “: draft” goes on to the whole of it.' : 'Launched.';
		tell('info', `${words} ${message ?? ''}`.trim());
		if (isTrial) this.#stage({at: 'editing'});
		else emptied();
		close();
		changed();
		arrived(jobId);
	}

	#stage(stage: Stage): void {
		this.#options.change(form => staged(form, stage));
	}
}

function draftOf({draft}: Pick<Order, 'draft'>): Draft | undefined {
	const read = draftSchema.safeParse(draft);
	return read.success ? read.data : undefined;
}
