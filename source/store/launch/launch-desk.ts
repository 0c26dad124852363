import {createStore, type StoreApi} from 'zustand/vanilla';
import type {Client} from '../../client/client.ts';
import {OutcomeUnknownError} from '../../client/errors.ts';
import {wait} from '../../client/retry.ts';
import type {FinetuneRequest} from '../../contract/finetune.ts';
import type {DatasetItem} from '../../contract/listing.ts';
import type {ExplorerState} from '../explorer-state.ts';
import type {JobEntry} from '../jobs/job-entry.ts';
import {readJobs} from '../jobs/job-list.ts';
import type {Notice} from '../notices/notice.ts';
import {CameraFrames} from '../pictures/camera-frames.ts';
import {createProject, projectRequestOf} from '../projects/create-project.ts';
import type {Remembered} from '../remembered/remembered.ts';
import type {Selection} from '../selection/selection.ts';
import {overlaid} from '../transitions.ts';
import {composed, orderComposition} from './composing.ts';
import {type Draft, draftSchema, emptyDraft, withDataset} from './draft.ts';
import {datasetChoice, LaunchFacts} from './launch-facts.ts';
import {
	type LaunchForm,
	openedForm,
	redrafted,
	refusedBy,
	type Stage,
	staged,
	stepForward,
	stepGone,
} from './launch-form.ts';
import {draftLike} from './like-job.ts';
import {problemsOfRefusal} from './refusal.ts';
import {type Judging, trialHours, wholeRequest} from './request.ts';
import {jobMadeBy} from './settle.ts';
import {type Subject, subjectOf} from './subject.ts';

export type LaunchState = {
	readonly form: LaunchForm;
	/** Episodes that it was asked for and that are no whole dataset. */
	readonly subject: Extract<Subject, {kind: 'partial'}> | undefined;
	/** What is being found out, made or composed, in a few words; undefined while nothing is. */
	readonly busy: string | undefined;
	/** Why that did not come about. */
	readonly trouble: string | undefined;
};

type LaunchOptions = {
	readonly client: Client;
	readonly remembered: Remembered;
	readonly selection: () => Selection;
	/** Whether the service has an ability of the embedded one. */
	readonly can: (ability: string, signal: AbortSignal) => Promise<boolean>;
	/** A dataset by its id. */
	readonly findDataset: (id: string, signal: AbortSignal) => Promise<DatasetItem | undefined>;
	readonly projectName: (id: string) => string | undefined;
	readonly mayChange: () => boolean;
	readonly tell: (kind: Notice['kind'], text: string) => void;
	readonly update: (change: (state: ExplorerState) => ExplorerState) => void;
	/** Called when something was made: a project, a dataset, a job. */
	readonly changed: () => void;
};

/** Hyperparameters that rest so long are looked at by the service. */
const restMs = 400;

/** Between two looks at the job list for a job whose answer was lost, in milliseconds. */
const settlePauses = [0, 300, 1000, 2000, 4000, 8000] as const;

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Where fine-tunes are written, sent once, and settled. */
export class LaunchDesk {
	readonly state: StoreApi<LaunchState>;
	readonly facts: LaunchFacts;
	/** What the cameras see. */
	readonly frames: CameraFrames;
	readonly #options: LaunchOptions;
	readonly #stopped = new AbortController();
	/** Ends what the open form has begun to find out. */
	#finding = new AbortController();
	#resting: NodeJS.Timeout | undefined;
	#sent:
		| {readonly request: FinetuneRequest; readonly before: ReadonlySet<string>; readonly isTrial: boolean}
		| undefined;

	constructor(options: LaunchOptions) {
		this.#options = options;
		this.facts = new LaunchFacts(options.client, this.#stopped.signal);
		this.frames = new CameraFrames(options);
		this.state = createStore(
			(): LaunchState => ({
				form: openedForm(emptyDraft),
				subject: undefined,
				busy: undefined,
				trouble: undefined,
			}),
		);
		// The defaults decide what was typed means; what was typed before they came is looked at then.
		this.facts.known.subscribe(({defaults}, {defaults: before}) => {
			if (defaults !== before && defaults.state === 'read') this.#checkSoon();
		});
	}

	/** Opens the form for a whole dataset. */
	openDataset(item: DatasetItem): void {
		this.#open(draft => withDataset(draft, datasetChoice(item)));
	}

	/** Opens it for what is selected, or for all that match the filter. */
	openSelected(): void {
		if (!this.#open(draft => draft)) return;
		const signal = this.#finding.signal;
		void this.#busyWith('Looking which datasets these episodes are of.', async () => {
			const {client, selection, findDataset} = this.#options;
			const subject = await subjectOf(client, selection(), signal);
			if (subject?.kind === 'whole') {
				const item = await findDataset(subject.datasetId, signal);
				if (item === undefined)
					throw new Error('The dataset of these episodes is not listed by the service.');
				this.#draft(draft => withDataset(draft, datasetChoice(item), subject.filter), 'dataset_id');
			} else if (subject !== undefined) {
				this.state.setState({subject});
				this.change(form => stepGone(form, 'dataset'));
				this.#draft(({dataset: _, ...draft}) => ({...draft, filter: subject.filter}), 'dataset_id');
			}
		});
	}

	/** Opens it with what a job was launched with. */
	openLike(job: JobEntry): void {
		const draft = draftLike(job, this.#options.projectName);
		if (!this.#open(() => draft)) return;
		this.change(form => stepGone(form, draft.project === undefined ? 'project' : 'training'));
		const {dataset} = draft;
		if (dataset === undefined) return;
		const signal = this.#finding.signal;
		void this.#busyWith('Looking for its dataset.', async () => {
			const {data} = await this.#options.client.listDatasets({search: dataset.path.slice(0, 200)}, {signal});
			const item = data.items.find(({path}) => path === dataset.path);
			if (item === undefined)
				throw new Error(`The dataset ${dataset.path} is not listed any more: choose another.`);
			this.change(form => ({...form, draft: {...form.draft, dataset: datasetChoice(item)}}));
		});
	}

	/** Changes the form. */
	change(step: (form: LaunchForm) => LaunchForm): void {
		const {form: before} = this.state.getState();
		const form = step(before);
		if (form === before) return;
		this.state.setState({form, trouble: undefined});
		if (form.draft === before.draft) return;
		this.#options.remembered.drafted(form.draft);
		this.facts.follow(form.draft);
		const {hyperparameters, further, vlaType} = form.draft;
		const isSame =
			hyperparameters === before.draft.hyperparameters &&
			further === before.draft.further &&
			vlaType === before.draft.vlaType;
		if (!isSame) this.#checkSoon();
	}

	/** What a draft is judged by. */
	known(): Judging {
		const {images, defaults} = this.facts.known.getState();
		return {
			images: images.state === 'read' ? images.value : undefined,
			defaults: defaults.state === 'read' ? defaults.value.values : undefined,
		};
	}

	/** Creates a project and takes it. */
	createProject(name: string): void {
		if (!this.#options.mayChange()) return;
		void this.#busyWith(`Creating the project ${name}.`, async () => {
			const outcome = await createProject(this.#options.client, projectRequestOf(name, {}));
			if (outcome.kind === 'unknown') {
				throw new Error(`Outcome unknown, and no project of this name is listed: ${outcome.reason}`);
			}
			this.#draft(draft => ({...draft, project: {id: outcome.id, name}}), 'project_id');
			this.facts.readProjects();
			this.change(stepForward);
			this.#options.changed();
		});
	}

	/** Composes one dataset of what the form was opened for, and takes that. */
	compose(name: string): void {
		const {subject} = this.state.getState();
		if (subject === undefined || !this.#options.mayChange()) return;
		const signal = this.#stopped.signal;
		void this.#busyWith(`Ordering ${name}.`, async () => {
			const operationId = await orderComposition(this.#options.client, subject.selection, name, signal);
			this.#draft(draft => ({...draft, composing: {operationId, name}}), 'dataset_id');
			this.#options.changed();
			await this.#awaitComposition({operationId, name});
		});
	}

	/**
	 * Sends the request, once. What was sent before the answer was lost is settled by the job list.
	 *
	 * @param arrived called with the job's id once it is there.
	 */
	async launch({isTrial}: {readonly isTrial: boolean}, arrived: (jobId: string) => void): Promise<void> {
		const {client, mayChange} = this.#options;
		const {form} = this.state.getState();
		if (form.stage.at !== 'editing' || !mayChange()) return;
		const whole = wholeRequest(form.draft, this.known());
		const request = isTrial ? {...whole, hours: Math.min(trialHours, whole.hours)} : whole;
		this.#stage({at: 'sending', isTrial});
		try {
			const before = await this.#jobIds();
			this.#sent = {request, before, isTrial};
			const {data} = await client.createFinetune(request);
			this.#arrive(data.job_id, data.message ?? undefined, arrived);
		} catch (error) {
			if (error instanceof OutcomeUnknownError) await this.settle(error.message, arrived);
			else this.#refused(error);
		}
	}

	/** Reads the job list until it holds what was sent, for a while. */
	async settle(reason: string, arrived: (jobId: string) => void): Promise<void> {
		const sent = this.#sent;
		if (sent === undefined) return;
		this.#stage({at: 'settling', reason});
		for (const ms of settlePauses) {
			try {
				await wait(ms, this.#stopped.signal);
				const {items} = await readJobs(this.#options.client, this.#stopped.signal);
				const found = jobMadeBy(sent.request, items, sent.before);
				if (found !== undefined) {
					this.#arrive(found, 'The answer was lost; the job list has it, so it was launched once.', arrived);
					return;
				}
			} catch {
				if (this.#stopped.signal.aborted) return;
				// The service is away: the next look may find it.
			}
		}
		this.#stage({at: 'unknown', reason});
	}

	/** Back to the fields, by somebody who knows that the job is not there. */
	edit(): void {
		this.#stage({at: 'editing'});
	}

	/** Begins anew. */
	clear(): void {
		this.change(() => openedForm(emptyDraft));
		this.state.setState({subject: undefined, trouble: undefined});
	}

	close(): void {
		this.#finding.abort();
		this.#options.update(overlaid(undefined));
	}

	stop(): void {
		this.#stopped.abort();
		this.#finding.abort();
		this.frames.forget();
		clearTimeout(this.#resting);
	}

	/** Opens the form over the draft that there is. @returns whether it did */
	#open(change: (draft: Draft) => Draft): boolean {
		if (!this.#options.mayChange()) return false;
		this.#finding.abort();
		this.#finding = new AbortController();
		const {form} = this.state.getState();
		this.#options.update(overlaid('launch'));
		// What was sent and not settled comes first.
		if (form.stage.at !== 'editing') return false;
		const kept = draftSchema.safeParse(this.#options.remembered.state.getState().launchDraft);
		const draft = change(kept.success ? kept.data : emptyDraft);
		this.state.setState({form: openedForm(draft), subject: undefined, busy: undefined, trouble: undefined});
		this.#options.remembered.drafted(draft);
		this.facts.forget();
		this.frames.forget();
		this.facts.readProjects();
		this.facts.readDatasets('');
		this.facts.readTrainer();
		this.facts.follow(draft);
		const {composing} = draft;
		if (composing !== undefined) void this.#busyWith('', () => this.#awaitComposition(composing));
		return true;
	}

	async #awaitComposition({operationId, name}: NonNullable<Draft['composing']>): Promise<void> {
		const {client, findDataset, changed} = this.#options;
		const signal = this.#stopped.signal;
		const say = (progress: string) => this.state.setState({busy: `Composing ${name}: ${progress}.`});
		try {
			say('ordered');
			const id = await composed(client, operationId, say, signal);
			const item = await findDataset(id, signal);
			if (item === undefined) throw new Error(`${name} is composed, and is not listed by the service.`);
			const {filter} = this.state.getState().form.draft;
			this.state.setState({subject: undefined});
			this.#draft(draft => withDataset(draft, datasetChoice(item), filter), 'dataset_id');
			this.change(form => (form.step === 'dataset' ? stepForward(form) : form));
			changed();
		} finally {
			if (!signal.aborted) this.#draft(({composing: _, ...draft}) => draft, '');
		}
	}

	/** Does something that takes a while; what speaks against it is told in the form. */
	async #busyWith(words: string, work: () => Promise<void>): Promise<void> {
		this.state.setState({busy: words, trouble: undefined});
		try {
			await work();
		} catch (error) {
			if (this.#stopped.signal.aborted || this.#finding.signal.aborted) return;
			this.state.setState({trouble: reasonOf(error)});
		} finally {
			this.state.setState({busy: undefined});
		}
	}

	#checkSoon(): void {
		clearTimeout(this.#resting);
		this.#resting = setTimeout(() => this.facts.check(this.state.getState().form.draft), restMs);
	}

	#draft(change: (draft: Draft) => Draft, field: string): void {
		this.change(form => redrafted(form, change, field));
	}

	#stage(stage: Stage): void {
		this.change(form => staged(form, stage));
	}

	/** The jobs that are listed before another is sent: by them a lost answer is settled. */
	async #jobIds(): Promise<ReadonlySet<string>> {
		try {
			const {items} = await readJobs(this.#options.client, this.#stopped.signal);
			return new Set(items.map(({job_id}) => job_id));
		} catch (error) {
			throw new Error(
				`Nothing was sent: the job list, by which a lost answer would be settled, cannot be read. ${reasonOf(error)}`,
			);
		}
	}

	#refused(error: unknown): void {
		if (this.#stopped.signal.aborted) return;
		const problems = problemsOfRefusal(error);
		this.change(form => refusedBy(form, problems));
		// A project or a dataset may have gone meanwhile.
		this.facts.readProjects();
	}

	#arrive(jobId: string, message: string | undefined, arrived: (jobId: string) => void): void {
		const {remembered, tell, changed} = this.#options;
		const {draft} = this.state.getState().form;
		const {request, isTrial} = this.#sent ?? {};
		if (request === undefined) return;
		remembered.launched({
			jobId,
			hours: request.hours,
			dataset: request.dataset_id,
			request,
			...(request.name !== undefined && {name: request.name}),
			...(draft.filter !== undefined && {filter: draft.filter}),
		});
		this.#sent = undefined;
		const further = isTrial ? ' The form keeps its hours for the next one.' : '';
		tell('info', `Launched. ${message ?? ''}${further}`.trim());
		if (isTrial) this.#stage({at: 'editing'});
		else {
			this.state.setState({form: openedForm(emptyDraft), subject: undefined});
			remembered.drafted(undefined);
		}
		this.close();
		changed();
		arrived(jobId);
	}
}
