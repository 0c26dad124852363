import {createStore, type StoreApi} from 'zustand/vanilla';
import type {Client} from '../../client/client.ts';
import type {DatasetItem} from '../../contract/listing.ts';
import type {ExploreQuestion} from '../../contract/local-explore.ts';
import {noFilter} from '../../query/filter.ts';
import {print} from '../../query/print.ts';
import {createProject, projectRequestOf} from '../artifacts/projects.ts';
import {shellWord} from '../export/shell-lines.ts';
import type {JobEntry} from '../jobs/job-entry.ts';
import {type Holding, hiddenSentence} from '../selection/holding.ts';
import {allMatching, type Selection} from '../selection/selection.ts';
import type {Notice} from '../state/notices.ts';
import type {Outbox} from '../state/outbox.ts';
import type {Remembered} from '../state/remembered.ts';
import {overlaid} from '../state/transitions.ts';
import type {Transition, UserState} from '../state/user-state.ts';
import {asked} from '../state/view-transitions.ts';
import {CameraFrames} from './camera-frames.ts';
import {FinetuneComposing} from './composing.ts';
import {
	type Draft,
	draftSchema,
	emptyDraft,
	hasSameHyperparameters,
	isSameWriting,
	withDataset,
} from './draft.ts';
import {type DatasetChoice, datasetChoice, FinetuneFacts} from './finetune-facts.ts';
import {type FinetuneForm, openedForm, redrafted, staged, stepForward, stepGone} from './finetune-form.ts';
import {draftLike, replaceQuestion} from './like-job.ts';
import {
	firstMissing,
	listedDataset,
	openedForSelected,
	type PartialSubject,
	untoldWords,
	untrainable,
} from './opened-for.ts';
import {type Judging, wholeRequest} from './request.ts';
import {type Arrived, FinetuneSending} from './sending.ts';

export type FinetuneState = {
	readonly form: FinetuneForm;
	/** Episodes that it was asked for and that are no whole dataset. */
	readonly subject: PartialSubject | undefined;
	/** Rejected episodes are composed too, and not left out. */
	readonly withRejected: boolean;
	/** A sentence about those that the current filter hides. */
	readonly hides: string | undefined;
	/** The work under way, in a few words; undefined if there is none. */
	readonly busy: string | undefined;
	/** Why that did not come about. */
	readonly trouble: string | undefined;
};

type FinetuneOptions = {
	readonly client: Client;
	readonly remembered: Remembered;
	readonly outbox: Outbox;
	/** Settles when what earlier runs left is there. */
	readonly recalled: () => Promise<void>;
	readonly selection: () => Selection;
	/** Counts the selection. */
	readonly holding: (signal: AbortSignal) => Promise<Holding>;
	readonly can: (ability: string, signal: AbortSignal) => Promise<boolean>;
	/** A dataset by its id. */
	readonly findDataset: (id: string, signal: AbortSignal) => Promise<DatasetItem | undefined>;
	readonly projectName: (id: string) => string | undefined;
	readonly mayChange: () => boolean;
	readonly notify: (kind: Notice['kind'], text: string) => void;
	readonly update: (change: Transition<UserState>) => void;
	/** Called when something was made: a project, a dataset, a job. */
	readonly changed: () => void;
};

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Writes fine-tunes, sends each once, and settles lost answers. */
export class FinetuneController {
	readonly state: StoreApi<FinetuneState>;
	readonly facts: FinetuneFacts;
	/** Frames of the cameras. */
	readonly frames: CameraFrames;
	readonly sending: FinetuneSending;
	readonly #composing: FinetuneComposing;
	readonly #options: FinetuneOptions;
	readonly #stopped = new AbortController();
	/** Ends what the open form has begun to find out. */
	#finding = new AbortController();

	constructor(options: FinetuneOptions) {
		this.#options = options;
		this.facts = new FinetuneFacts(options.client, options.can, this.#stopped.signal);
		this.frames = new CameraFrames(options);
		this.sending = new FinetuneSending({
			...options,
			signal: this.#stopped.signal,
			form: () => this.state.getState().form,
			change: step => this.change(step),
			known: () => this.known(),
			emptied: () => {
				this.state.setState({form: openedForm(emptyDraft), subject: undefined});
				options.remembered.drafted(undefined);
			},
			close: () => options.update(state => (state.overlay === 'launch' ? overlaid(undefined)(state) : state)),
			refused: () => this.facts.readProjects(),
		});
		this.state = createStore(
			(): FinetuneState => ({
				form: openedForm(emptyDraft),
				subject: undefined,
				withRejected: false,
				hides: undefined,
				busy: undefined,
				trouble: undefined,
			}),
		);
		this.#composing = new FinetuneComposing({
			...options,
			signal: this.#stopped.signal,
			redraft: change => this.#draft(change),
			say: busy => this.state.setState({busy}),
		});
		// The defaults decide what typed values mean: values typed before they came are checked then.
		this.facts.known.subscribe(({defaults}, {defaults: before}) => {
			if (defaults !== before && defaults.state === 'read')
				this.facts.checkSoon(this.state.getState().form.draft);
		});
	}

	/** A fine-tune is being written, or is on its way. */
	get hasDraft(): boolean {
		return this.#kept() !== undefined || this.#isSent;
	}

	/** A request was sent, and is not settled. */
	get #isSent(): boolean {
		const {at} = this.state.getState().form.stage;
		return at !== 'editing' && at !== 'opening';
	}

	/** Opens the form as it was left. */
	openDraft(): void {
		this.#open(draft => draft);
	}

	/** Opens the form for a whole dataset. */
	openDataset(item: DatasetItem): void {
		const reason = untrainable(item);
		const choice = datasetChoice(item);
		if (reason === undefined) {
			this.#open(
				draft => withDataset(draft, choice),
				() => void this.#offerWithoutRejected(choice),
			);
		} else this.#options.notify('warning', reason);
	}

	/** Opens it for what is selected, or for all that match the filter. */
	openSelected(): void {
		const find = async (signal: AbortSignal) => {
			const found = await openedForSelected(this.#options, signal);
			if (found === undefined) return;
			const {hidden, rejected} = await this.#options.holding(signal);
			const hides = hidden?.count === 0 ? undefined : hiddenSentence(hidden);
			this.state.setState({subject: found.subject && {...found.subject, rejected}, hides});
			if (found.subject !== undefined || hides !== undefined) this.change(form => stepGone(form, 'dataset'));
			this.#draft(found.redraft);
			const {dataset} = this.state.getState().form.draft;
			if (found.subject === undefined && dataset !== undefined) await this.#offerWithoutRejected(dataset);
		};
		this.#open(
			draft => draft,
			signal => void this.#busyWith('Finding the datasets of these episodes.', () => find(signal)),
		);
	}

	/** Takes a whole dataset. Where some of it is rejected, that is said first: taken once more, it is meant. */
	takeDataset(choice: DatasetChoice): void {
		const {subject} = this.state.getState();
		this.change(form => stepForward(redrafted(form, draft => withDataset(draft, choice))));
		const isMeant = subject?.isWhole === true && subject.wholes.some(({id}) => id === choice.id);
		if (!isMeant) void this.#offerWithoutRejected(choice);
	}

	/** Offers to compose a dataset without its rejected episodes, where it has some. */
	async #offerWithoutRejected(choice: DatasetChoice): Promise<void> {
		const {client, can, notify} = this.#options;
		const {signal} = this.#finding;
		const question = {dataset_ids: [choice.id]};
		const total = async (request: ExploreQuestion) =>
			(await client.explore({...request, limit: 1}, {signal})).data.total;
		try {
			if (!(await can('compose', signal))) return;
			const rejected = Number(await total({...question, review_state: 'rejected'}));
			if (rejected === 0) return;
			const episodes = BigInt(await total(question));
			if (this.state.getState().form.draft.dataset?.id !== choice.id) return;
			const filter = {...noFilter, datasets: [choice.path.slice(choice.path.lastIndexOf('/') + 1)]};
			const selection = allMatching({filter, question});
			const wholes = [choice];
			this.state.setState({
				subject: {
					kind: 'partial',
					selection,
					episodes,
					datasets: [choice.id],
					filter: print(filter),
					wholes,
					rejected,
					isWhole: true,
				},
			});
			this.#draft(({dataset: _, ...draft}) => draft);
			this.change(form => stepGone(form, 'dataset'));
		} catch (error) {
			if (!signal.aborted) notify('error', reasonOf(error));
		}
	}

	/** Composes with the rejected episodes, or without. */
	toggleRejected(): void {
		this.state.setState(({withRejected}) => ({withRejected: !withRejected}));
	}

	/** Opens it with what a job was launched with; asks first where another draft is lost by that. */
	openLike(job: JobEntry): void {
		const {mayChange, recalled, remembered, update} = this.#options;
		if (!mayChange()) return;
		if (!remembered.isRecalled) {
			void recalled().then(() => this.openLike(job));
			return;
		}
		const draft = draftLike(job, this.#options.projectName);
		const kept = this.#kept() ?? emptyDraft;
		const isLost = [emptyDraft, draft].every(other => !isSameWriting(kept, other));
		if (isLost && !this.#isSent) update(asked(replaceQuestion(kept, job, () => this.#openAs(draft, job))));
		else this.#openAs(draft, job);
	}

	#openAs(draft: Draft, job: JobEntry): void {
		const find = async ({path}: NonNullable<Draft['dataset']>, signal: AbortSignal) => {
			const dataset = await listedDataset(this.#options, path, signal);
			this.change(form => ({...form, draft: {...form.draft, dataset}}));
		};
		this.#open(
			() => draft,
			signal => {
				this.change(form => stepGone(form, firstMissing(draft)));
				const words = untoldWords(job);
				if (words !== undefined) this.#options.notify('warning', words);
				const {dataset} = draft;
				if (dataset !== undefined) void this.#busyWith('Finding its dataset.', () => find(dataset, signal));
			},
		);
	}

	/** Changes the form. */
	change(step: (form: FinetuneForm) => FinetuneForm): void {
		const {form: before} = this.state.getState();
		const form = step(before);
		if (form === before) return;
		this.state.setState({form, trouble: undefined});
		if (form.step !== before.step) this.facts.readFailed(form.draft);
		if (form.draft === before.draft) return;
		this.#options.remembered.drafted(form.draft);
		this.facts.follow(form.draft);
		if (!hasSameHyperparameters(form.draft, before.draft)) this.facts.checkSoon(form.draft);
	}

	/** Says in the form why something was not done. */
	explain(trouble: string | undefined): void {
		this.state.setState({trouble});
	}

	/** The facts that a draft is judged by. */
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
			this.#draft(draft => ({...draft, project: {id: outcome.id, name}}));
			this.facts.readProjects();
			this.change(stepForward);
			this.#options.changed();
		});
	}

	/** Composes one dataset of what the form was opened for, and takes that. */
	compose(name: string): void {
		const {subject, withRejected} = this.state.getState();
		if (subject === undefined || !this.#options.mayChange()) return;
		const {selection} = subject;
		void this.#busyWith(`Requesting ${name}.`, async () => {
			await this.#composing.order(name, selection, withRejected);
			this.#composed();
		});
	}

	/** Sends the request, once. @param arrived called with the job's id once it is there */
	async launch(how: {readonly isTrial: boolean}, arrived: Arrived): Promise<void> {
		const {form} = this.state.getState();
		if (form.stage.at === 'editing' && this.#options.mayChange()) await this.sending.launch(how, arrived);
	}

	/** Copies the command that trains this, for another machine. */
	copyLine(copy: (text: string, what: string) => void): void {
		const {client, can} = this.#options;
		const {signal} = this.#finding;
		void this.#busyWith('Asking for its lerobot-train line.', async () => {
			if (!(await can('finetune-line', signal))) {
				throw new Error('This service does not give a lerobot-train line; the embedded service does.');
			}
			const request = wholeRequest(this.state.getState().form.draft, this.known());
			const {data} = await client.finetuneLine(request, {signal});
			copy(data.command.map(shellWord).join(' '), 'the lerobot-train line');
		});
	}

	/** Begins anew. */
	clear(): void {
		this.change(() => openedForm(emptyDraft));
		this.state.setState({subject: undefined, trouble: undefined});
	}

	close(): void {
		this.#finding.abort();
		this.change(form => (form.stage.at === 'opening' ? staged(form, {at: 'editing'}) : form));
		this.#options.update(overlaid(undefined));
	}

	stop(): void {
		this.#stopped.abort();
		this.#finding.abort();
		this.frames.forget();
	}

	/**
	 * Opens the form over the draft that there is, once that is known.
	 *
	 * @param further what is done then, where nothing that was sent comes first.
	 */
	#open(change: (draft: Draft) => Draft, further?: (signal: AbortSignal) => void): void {
		const {mayChange, update, remembered, recalled} = this.#options;
		if (!mayChange()) return;
		this.#finding.abort();
		const finding = new AbortController();
		this.#finding = finding;
		update(overlaid('launch'));
		if (remembered.isRecalled) {
			this.#begin(change, further);
			return;
		}
		this.change(form => (form.stage.at === 'editing' ? staged(form, {at: 'opening'}) : form));
		void recalled().then(() => {
			if (!finding.signal.aborted) this.#begin(change, further);
		});
	}

	#begin(change: (draft: Draft) => Draft, further: ((signal: AbortSignal) => void) | undefined): void {
		// A request that was sent and is not settled comes first.
		if (this.#isSent) {
			this.#readFacts(this.state.getState().form.draft);
			return;
		}
		const draft = change(this.#kept() ?? emptyDraft);
		this.state.setState({
			form: openedForm(draft),
			subject: undefined,
			withRejected: false,
			hides: undefined,
			busy: undefined,
			trouble: undefined,
		});
		this.#options.remembered.drafted(draft);
		this.facts.forget();
		this.frames.forget();
		this.#readFacts(draft);
		const {composing} = draft;
		if (composing !== undefined) {
			void this.#busyWith('', async () => {
				await this.#composing.finish(composing);
				this.#composed();
			});
		}
		further?.(this.#finding.signal);
	}

	/** The draft that was left. */
	#kept(): Draft | undefined {
		const read = draftSchema.safeParse(this.#options.remembered.state.getState().launchDraft);
		return read.success ? read.data : undefined;
	}

	#readFacts(draft: Draft): void {
		this.facts.readProjects();
		this.facts.readDatasets('');
		this.facts.readTrainer();
		this.facts.follow(draft);
	}

	/** The draft has the dataset that was composed for it. */
	#composed(): void {
		this.state.setState({subject: undefined});
		this.change(form => (form.step === 'dataset' ? stepForward(form) : form));
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

	#draft(change: (draft: Draft) => Draft): void {
		this.change(form => redrafted(form, change));
	}
}
