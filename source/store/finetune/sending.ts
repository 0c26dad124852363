import {randomUUID} from 'node:crypto';
import type {Client} from '../../client/client.ts';
import {fieldProblems, ServiceError} from '../../client/errors.ts';
import type {FieldProblem} from '../../contract/errors.ts';
import type {FinetuneRequest} from '../../contract/finetune.ts';
import type {JobItem} from '../../contract/listing.ts';
import {readJobs} from '../jobs/job-list.ts';
import type {Notice} from '../state/notices.ts';
import type {NewEntry, Outbox, Outcome, Ways} from '../state/outbox.ts';
import type {Remembered} from '../state/remembered.ts';
import type {OutboxEntry} from '../state/remembered-state.ts';
import {type Draft, draftSchema} from './draft.ts';
import {type FinetuneForm, openedForm, refusedBy, type SendStage, staged} from './finetune-form.ts';
import {type Judging, requestOf, trialOf, wholeRequest} from './request.ts';

type SendingOptions = {
	readonly client: Client;
	readonly outbox: Outbox;
	readonly remembered: Remembered;
	readonly signal: AbortSignal;
	readonly form: () => FinetuneForm;
	readonly change: (step: (form: FinetuneForm) => FinetuneForm) => void;
	/** The facts that a draft is judged by. */
	readonly known: () => Judging;
	/** The form holds nothing any more: what was in it is a job. */
	readonly emptied: () => void;
	readonly close: () => void;
	/** The choices in the form may be out of date. */
	readonly refused: () => void;
	readonly notify: (kind: Notice['kind'], text: string) => void;
	/** Called when a job was made. */
	readonly changed: () => void;
};

/** Shows a job that was just made. */
export type Arrived = (jobId: string) => void;

type Made = {readonly jobId: string; readonly message: string | undefined};

const answerLost = 'The answer was lost, but the job list has it: it was launched once.';

/** Sends fine-tunes, each once, and settles by the job list what was not answered. */
export class FinetuneSending {
	readonly #options: SendingOptions;
	/** The request that was sent and is not settled. */
	#sent: NewEntry | undefined;

	constructor(options: SendingOptions) {
		this.#options = options;
	}

	/** @param arrived called with the job's id once it is there */
	async launch({isTrial}: {readonly isTrial: boolean}, arrived: Arrived): Promise<void> {
		const {client, outbox, known, form} = this.#options;
		const {draft} = form();
		const whole = wholeRequest(draft, known());
		const request = isTrial ? trialOf(whole) : whole;
		// A refusal of the last request is over with the next.
		this.#options.change(form => ({...staged(form, {at: 'sending', isTrial}), refused: undefined}));
		let before: readonly string[];
		try {
			before = await this.#jobIds();
		} catch (error) {
			this.#refuse(error);
			return;
		}
		const name = request.name ?? `the fine-tune of ${request.dataset_id}`;
		const entry: NewEntry = {
			id: randomUUID(),
			kind: 'fine-tune',
			name,
			request,
			before: [...before],
			isTrial,
			draft,
		};
		this.#sent = entry;
		const send = async () => {
			const {data} = await client.createFinetune(request);
			return {jobId: data.job_id, message: data.message ?? undefined};
		};
		this.#ended(entry, await outbox.send(entry, {send, ...this.#ways(entry)}), arrived);
	}

	/** Reads the job list again for what was sent. */
	async settle(arrived: Arrived): Promise<void> {
		const {stage} = this.#options.form();
		const entry = this.#sent;
		if (entry === undefined || stage.at !== 'unknown') return;
		const outcome = await this.#options.outbox.settle(entry.id, this.#ways(entry), stage.reason);
		this.#ended(entry, outcome, arrived);
	}

	/** Back to the fields: the user knows that the job is not there. */
	edit(): void {
		if (this.#sent !== undefined) this.#options.outbox.drop(this.#sent.id);
		this.#sent = undefined;
		this.#stage({at: 'editing'});
	}

	/** Settles what an earlier run had sent when it ended. It is never sent again. */
	async takeUp(entry: OutboxEntry): Promise<void> {
		const {outbox, notify, change} = this.#options;
		const draft = draftOf(entry);
		this.#sent = entry;
		if (draft !== undefined) change(() => openedForm(draft, 'request'));
		const reason = `lakescope ended while ${entry.name} was being sent.`;
		const ways = this.#ways(entry);
		const shown = (jobId: string) => notify('info', `It was launched: job:${jobId}`);
		const outcome = await outbox.settle(entry.id, ways, reason);
		this.#ended(entry, outcome, shown);
		if (outcome.kind !== 'unknown') return;
		notify(
			'warning',
			`${reason} The job list does not have it so far. It is not sent again automatically; “: draft” shows it.`,
		);
		const {look, note} = ways;
		const later = await outbox.settle(entry.id, {look, note}, reason, {isPatient: true});
		// The user may have settled it meanwhile.
		if (this.#sent?.id === entry.id) this.#ended(entry, later, shown);
	}

	#ways(entry: NewEntry): Omit<Ways<Made>, 'send'> & Required<Pick<Ways<Made>, 'note'>> {
		const {client, remembered} = this.#options;
		const request = entry.request as FinetuneRequest;
		const before = new Set(entry.before);
		return {
			look: async signal => {
				const {items} = await readJobs(client, signal);
				const jobId = jobMadeBy(request, items, before);
				return jobId === undefined ? undefined : {jobId, message: answerLost};
			},
			note({jobId}) {
				const {filter, picked, dataset} = draftOf(entry) ?? {};
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

	#ended(entry: NewEntry, outcome: Outcome<Made>, arrived: Arrived): void {
		const {notify} = this.#options;
		switch (outcome.kind) {
			case 'made':
				this.#arrive(entry, outcome.made, arrived);
				break;
			case 'refused':
				this.#sent = undefined;
				this.#refuse(outcome.error);
				break;
			case 'absent':
				this.#sent = undefined;
				this.#stage({at: 'editing'});
				notify(
					'warning',
					`The job list does not have ${entry.name}: it was not created. “: draft” reopens it.`,
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
				`Nothing was sent: the job list, needed to settle a lost answer, cannot be read. ${why}`,
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

	#arrive({isTrial}: NewEntry, {jobId, message}: Made, arrived: Arrived): void {
		const {notify, emptied, close, changed} = this.#options;
		this.#sent = undefined;
		const words = isTrial ? 'Trial launched; “: draft” continues to the full run.' : 'Launched.';
		notify('info', `${words} ${message ?? ''}`.trim());
		if (isTrial) this.#stage({at: 'editing'});
		else emptied();
		close();
		changed();
		arrived(jobId);
	}

	#stage(stage: SendStage): void {
		this.#options.change(form => staged(form, stage));
	}
}

function draftOf({draft}: Pick<OutboxEntry, 'draft'>): Draft | undefined {
	const read = draftSchema.safeParse(draft);
	return read.success ? read.data : undefined;
}

/** Fields of the request that a service may speak of, the longer names first: one is a part of the other. */
const fields = [
	'sarm_image_observation_key',
	'sarm_reward_model_path',
	'camera_mappings',
	'vla_hyper_spec',
	'rabc_head_mode',
	'instance_type',
	'project_id',
	'dataset_id',
	'batch_size',
	'model_id',
	'vla_type',
	'use_rabc',
	'region',
	'hours',
	'name',
] as const;

const fieldWord = new RegExp(
	`\\b(?:${fields.join('|')})(?:\\.[A-Za-z0-9_]+(?:\\.[A-Za-z0-9_]+)*)?(?=: )`,
	'g',
);

/** The field that a sentence without a field's name is about, by the words that it uses. */
const subjects: readonly (readonly [RegExp, string])[] = [
	[/\bproject\b/i, 'project_id'],
	[/\bcamera|\bimage key/i, 'camera_mappings'],
	[/\bhyper-?param/i, 'vla_hyper_spec'],
	[/\bmodel\b/i, 'model_id'],
	[/\bdataset\b/i, 'dataset_id'],
	[/\bhours?\b/i, 'hours'],
	[/\bbatch\b/i, 'batch_size'],
];

/** A refusal in one sentence: one `field: sentence` after the other, or about something that it names. */
function problemsOfDetail(detail: string): readonly FieldProblem[] {
	const named = [...detail.matchAll(fieldWord)];
	if (named.length > 0) {
		return named.map(({0: field, index}, nth) => {
			const from = index + field.length + 2;
			return {field, message: detail.slice(from, named[nth + 1]?.index).trim()};
		});
	}
	const slot = /\bcamera slot ["']?([\w.]+)/i.exec(detail)?.[1];
	const [, field = ''] = subjects.find(([word]) => word.test(detail)) ?? [];
	return [{field: slot === undefined ? field : `camera_mappings.${slot}`, message: detail}];
}

const isAboutTheCaller = ({status}: ServiceError) => status >= 500 || [401, 403, 408, 429].includes(status);

/** The problems in a refusal, each at its field; an empty field if none is named. */
export function problemsOfRefusal(error: unknown): readonly FieldProblem[] {
	// A service that cannot, or will not for this caller now, says nothing of a field, whatever words it uses.
	if (error instanceof ServiceError && isAboutTheCaller(error)) {
		return [{field: '', message: error.message}];
	}
	const named = fieldProblems(error);
	if (named.length > 0) return named;
	if (error instanceof ServiceError && error.detail !== undefined) return problemsOfDetail(error.detail);
	return [{field: '', message: error instanceof Error ? error.message : String(error)}];
}

/** True if a listed job may be the one of a request: every field that it has must agree. */
function canBe(item: JobItem, request: FinetuneRequest): boolean {
	if (item.project_id.toLowerCase() !== request.project_id.toLowerCase()) return false;
	const told: readonly (readonly [unknown, unknown])[] = [
		[item.name, request.name],
		[item.vla_type, request.vla_type],
		[item.dataset_path, request.dataset_id],
		[item.hours, request.hours],
	];
	return told.every(([has, wanted]) => has == null || wanted === undefined || has === wanted);
}

/**
 * The job that a request made whose answer was lost: one that was not listed before, and tells nothing else than was asked
 * for. If there are several, another user launched a similar one at the same time; the service's first is taken.
 */
export function jobMadeBy(
	request: FinetuneRequest,
	listed: readonly JobItem[],
	before: ReadonlySet<string>,
): string | undefined {
	return listed.find(item => !before.has(item.job_id) && canBe(item, request))?.job_id;
}
