import {createStore, type StoreApi} from 'zustand/vanilla';
import type {Client} from '../../client/client.ts';
import {ServiceError} from '../../client/errors.ts';
import type {FieldProblem} from '../../contract/errors.ts';
import {needsModel} from '../../contract/hyperparameters.ts';
import {ownImageKeys, readImageKeys} from '../../contract/image-keys.ts';
import {artifactFigure, type DatasetItem} from '../../contract/listing.ts';
import {datasetInFilter} from '../artifacts/dataset-origin.ts';
import {projectId, projectName} from '../artifacts/projects.ts';
import {askTrainer, type Can} from '../export/lerobot-lines.ts';
import {DebouncedQuery} from '../queries/debounced.ts';
import {pageOf} from '../queries/open-page.ts';
import type {ImageKeys} from './cameras.ts';
import type {Draft} from './draft.ts';
import {hyperparametersOf, type Judging} from './request.ts';

/** Something that was asked of the service. */
export type Fetched<Value> =
	| {readonly state: 'reading'}
	| {readonly state: 'read'; readonly value: Value}
	| {readonly state: 'failed'; readonly reason: string};

type Named = {readonly id: string; readonly name: string};
export type DatasetChoice = NonNullable<Draft['dataset']>;

/** Problems of hyperparameters, and the hyperparameters that they are about. */
type Checked = {readonly of: string; readonly issues: readonly FieldProblem[]};

/** A key for the part of a draft that the service checks: it changes when that part does. */
export function checkOf(draft: Draft, defaults: Judging['defaults']): string {
	return JSON.stringify([draft.vlaType, hyperparametersOf(draft, defaults)]);
}

/** The service's answers that the form needs. */
export type FinetuneKnown = {
	readonly projects: Fetched<readonly Named[]>;
	/** Datasets that can be trained on, those that hold what is searched for. */
	readonly datasets: Fetched<readonly DatasetChoice[]>;
	readonly images: Fetched<ImageKeys>;
	readonly defaults: Fetched<{readonly values: Readonly<Record<string, unknown>>; readonly message: string}>;
	/** Problems of the hyperparameters that were checked last. */
	readonly checked: Fetched<Checked>;
	/** The trainer, if the service names it; `isRehearsal` if nothing would be trained. */
	readonly trainer:
		| {
				readonly message: string;
				readonly isRehearsal: boolean;
				/** The trainers that `instance_type` may name besides this machine's. */
				readonly others: readonly {readonly name: string; readonly message: string}[];
		  }
		| undefined;
};

type FactName = Exclude<keyof FinetuneKnown, 'trainer'>;

const reading = {state: 'reading'} as const;

/** Hyperparameters that rest so long are looked at by the service. */
const restMs = 400;

/** So many of each are offered; further datasets are found by a part of their path. */
const mostOffered = {projects: 1000, datasets: 100} as const;

export function datasetChoice(item: DatasetItem): DatasetChoice {
	const frames = artifactFigure(item, 'frames');
	return {
		id: item.artifact_id,
		path: item.path,
		name: datasetInFilter(item),
		...(frames !== undefined && {frames: Number(frames)}),
	};
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Asks the service what the form needs, each thing once until what it depends on is another. */
export class FinetuneFacts {
	readonly known: StoreApi<FinetuneKnown> = createStore(
		(): FinetuneKnown => ({
			projects: reading,
			datasets: reading,
			images: reading,
			defaults: reading,
			checked: {state: 'read', value: {of: '', issues: []}},
			trainer: undefined,
		}),
	);
	readonly #client: Client;
	readonly #can: Can;
	readonly #signal: AbortSignal;
	readonly #checking = new DebouncedQuery({restMs});
	/** The newest question of each, with its end. */
	readonly #asked = new Map<FactName, {readonly key: string; readonly ending: AbortController}>();

	/** @param can whether the service has an ability of the embedded one */
	constructor(client: Client, can: Can, signal: AbortSignal) {
		this.#client = client;
		this.#can = can;
		this.#signal = signal;
	}

	/** Reads the projects, those of now. */
	readProjects(): void {
		this.#forget('projects');
		this.#ask('projects', '', async signal => {
			const found: Named[] = [];
			let cursor: string | undefined;
			do {
				const query = cursor === undefined ? {} : {cursor};
				const page = pageOf(await this.#client.listProjects(query, {signal}));
				for (const item of page.items) {
					const id = projectId(item);
					if (id !== undefined) found.push({id, name: projectName(item) ?? id});
				}
				cursor = page.next === cursor ? undefined : page.next;
			} while (cursor !== undefined && found.length < mostOffered.projects);
			return found;
		});
	}

	readDatasets(search: string): void {
		this.#ask('datasets', search, async signal => {
			const query = {dataset_type: 'lerobot_v3', limit: mostOffered.datasets} as const;
			const {data} = await this.#client.listDatasets({...query, ...(search !== '' && {search})}, {signal});
			return data.items.map(datasetChoice);
		});
	}

	/** Reads what the draft's dataset and type bring with them, where they are others than before. */
	follow({dataset, vlaType, modelId}: Draft): void {
		if (dataset !== undefined) this.#ask('images', dataset.path, signal => this.#imageKeys(dataset, signal));
		if (vlaType === undefined) return;
		if (needsModel(vlaType) && modelId.trim() === '') {
			// Those that are known are another type's.
			this.#forget('defaults');
			const reason = `The defaults of ${vlaType} come from its base model: name that first.`;
			this.known.setState({defaults: {state: 'failed', reason}});
			return;
		}
		const model = modelId.trim();
		const query = {vla_type: vlaType, ...(model !== '' && {model_id: model})};
		this.#ask('defaults', JSON.stringify(query), async signal => {
			const {data} = await this.#client.hyperparameterDefaults(query, {signal});
			return {values: data.data, message: data.message};
		});
	}

	/** Asks again for what could not be read: it may be over. */
	readFailed(draft: Draft): void {
		const {projects, datasets, checked} = this.known.getState();
		if (projects.state === 'failed') this.readProjects();
		if (datasets.state === 'failed') this.readDatasets('');
		if (checked.state === 'failed') this.checkSoon(draft);
		this.follow(draft);
	}

	/** Has the service look at the hyperparameters once typing rests. */
	checkSoon(draft: Draft): void {
		this.#checking.want(async () => {
			if (!this.#signal.aborted) this.#check(draft);
		});
	}

	/** Has the service look at the hyperparameters. */
	#check(draft: Draft): void {
		const {vlaType} = draft;
		const {defaults} = this.known.getState();
		if (vlaType === undefined || defaults.state !== 'read') return;
		const values = hyperparametersOf(draft, defaults.value.values);
		const of = checkOf(draft, defaults.value.values);
		this.#ask('checked', of, async signal => {
			const {data} = await this.#client.validateHyperparameters(vlaType, values, {signal});
			const issues = (data.issues ?? []).map(({field, message}) => ({
				field: `vla_hyper_spec.${field}`,
				message,
			}));
			return {of, issues};
		});
	}

	/** Asks what a fine-tune would run on, which only a service of this program tells. */
	readTrainer(): void {
		askTrainer(this.#client, this.#can, this.#signal).then(
			({message, command, trainers: others = []}) =>
				this.known.setState({trainer: {message, isRehearsal: command === null, others}}),
			// Another service does not know the question.
			() => undefined,
		);
	}

	/** Everything is asked anew when it is needed again. */
	forget(): void {
		for (const question of [...this.#asked.keys()]) this.#forget(question);
	}

	/** The document does not say whether its path names a dataset by the artifact's id or by its place in the hub. */
	async #imageKeys({id, path}: DatasetChoice, signal: AbortSignal): Promise<ImageKeys> {
		const {data} = await this.#client.imageKeys(id, {signal}).catch((error: unknown) => {
			if (id === path || !(error instanceof ServiceError) || error.status !== 404) throw error;
			return this.#client.imageKeys(path, {signal});
		});
		const keys = readImageKeys(data);
		if (keys === undefined) throw new Error('The service returned the image keys in an unknown shape.');
		const own = ownImageKeys.safeParse(data);
		const shapes = own.success
			? own.data.features.map(({key, shape}) => [key, shape.join('×')] as const)
			: [];
		return {keys, shapes: new Map(shapes)};
	}

	#forget(question: FactName): void {
		this.#asked.get(question)?.ending.abort();
		this.#asked.delete(question);
	}

	#ask<Name extends FactName>(
		question: Name,
		key: string,
		read: (signal: AbortSignal) => Promise<Extract<FinetuneKnown[Name], {state: 'read'}>['value']>,
	): void {
		if (this.#asked.get(question)?.key === key) return;
		this.#forget(question);
		const ending = new AbortController();
		this.#asked.set(question, {key, ending});
		const know = (answer: Fetched<unknown>) => {
			if (!ending.signal.aborted) this.known.setState({[question]: answer} as Partial<FinetuneKnown>);
		};
		know(reading);
		read(AbortSignal.any([ending.signal, this.#signal])).then(
			value => know({state: 'read', value}),
			(error: unknown) => {
				// Fetched for again, it is read again.
				if (this.#asked.get(question)?.ending === ending) this.#asked.delete(question);
				know({state: 'failed', reason: reasonOf(error)});
			},
		);
	}
}
