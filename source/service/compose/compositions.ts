import {randomUUID} from 'node:crypto';
import {existsSync} from 'node:fs';
import {readdir, rm} from 'node:fs/promises';
import path from 'node:path';
import type {IngestProgress} from '../../contract/local.ts';
import type {ComposeRecord, ComposeRequest, ComposeSummary} from '../../contract/local-compose.ts';
import type {Log} from '../host/log.ts';
import {Refusal} from '../host/refusal.ts';
import {systemReason} from '../host/start-error.ts';
import type {FolderProvider, IngestSupervisor} from '../ingest/ingest-supervisor.ts';
import type {DatasetDetails, LakeEngine, Recording} from '../lake/engine.ts';
import {type IngestOperation, ingestRecordOf} from '../operations/ingest-operation.ts';
import type {IngestStore} from '../operations/ingest-store.ts';
import {type ChildBounds, reasonForEnd, runBounded} from '../workers/bounded-child.ts';
import {lineReader} from '../workers/child-report.ts';
import {programEntry} from '../workers/program-entry.ts';
import {type ComposeWork, composeReport} from './compose-messages.ts';
import type {Composition, CompositionStore} from './composition-store.ts';
import {compareParents} from './differences.ts';

type Parts = {
	readonly lakeFolder: string;
	readonly lake: Pick<LakeEngine, 'recordings' | 'details' | 'dataset' | 'nextOrdinal'>;
	readonly store: CompositionStore;
	readonly ingests: IngestStore;
	readonly bounds: ChildBounds;
	readonly log: Log;
};

const cancelled = 'It was cancelled.';

/** Differences that are told one by one. */
const mostDifferences = 50;

/**
 * Datasets that are made of episodes of others: `composed/ID/NAME`. A composition is the ingest of a folder that is made
 * when its turn comes, so that its progress, its end and its taking up after a restart are those of any ingest.
 */
export class Compositions implements FolderProvider {
	readonly #parts: Parts;
	readonly #folder: string;

	constructor(parts: Parts) {
		this.#parts = parts;
		this.#folder = path.join(parts.lakeFolder, 'composed');
	}

	/**
	 * Accepts a composition.
	 *
	 * @throws {Refusal} `absent` for episodes that the lake does not hold, `conflict` for a name or an operation's id that is
	 * taken, `invalid` for episodes of more than one embodiment, field by field, or that are all rejected
	 */
	async order(
		{name, episode_ids, include_rejected = false, operation_id}: ComposeRequest,
		supervisor: Pick<IngestSupervisor, 'dispatch'>,
	): Promise<ComposeRecord> {
		const {lake, store, ingests} = this.#parts;
		const operationId = operation_id?.toLowerCase();
		const known = operationId === undefined ? undefined : this.#ordered(operationId, name);
		if (known !== undefined) return known;
		const wanted = new Set(episode_ids.map(id => id.toLowerCase()));
		const found = await lake.recordings([...wanted]);
		if (found.length < wanted.size) throw unknownEpisodes(wanted, found);
		const taken = include_rejected ? found : found.filter(({review_state}) => review_state !== 'rejected');
		if (taken.length === 0) throw allRejected(found.length);
		const composition: Composition = {
			...(await this.#composition(name, taken)),
			rejectedLeftOut: found.length - taken.length,
		};
		await this.#checkName(name);
		store.put(composition);
		const folder = composition.work.target;
		let operation: IngestOperation | undefined;
		const submission = await supervisor.dispatch({
			name,
			isOwn: () => false,
			accept: () => {
				operation = ingests.create(name, folder, operationId);
				return operation;
			},
		});
		if (submission.kind === 'conflict' || !operation) throw nameTaken(name);
		return recordOf(operation, composition);
	}

	/** @returns undefined for an operation that is none of a composition */
	record(operationId: string): ComposeRecord | undefined {
		const operation = this.#parts.ingests.get(operationId);
		const composition = operation && this.#parts.store.get(operation.folder);
		return composition && recordOf(operation, composition);
	}

	/** The earlier composition of this id. @throws {Refusal} if the id belongs to another operation */
	#ordered(operationId: string, name: string): ComposeRecord | undefined {
		const record = this.record(operationId);
		if (record?.dataset_name === name) return record;
		if (this.#parts.ingests.get(operationId) === undefined) return undefined;
		throw new Refusal('conflict', `The operation id ${operationId} is taken in this lake. Give another.`);
	}

	/**
	 * Gives a composition up that has not been published: nothing of it stays.
	 *
	 * @throws {Refusal} `conflict` where it is over, or too far
	 */
	async cancel(
		operationId: string,
		supervisor: Pick<IngestSupervisor, 'abandon' | 'ended'>,
	): Promise<ComposeRecord | undefined> {
		const record = this.record(operationId);
		if (!record) return undefined;
		if (record.status.done || record.status.phase === 'publishing') {
			throw new Refusal(
				'conflict',
				`${record.dataset_name} cannot be cancelled any more: it is ${record.status.phase}.`,
			);
		}
		supervisor.abandon(operationId, cancelled);
		await supervisor.ended(operationId);
		return this.record(operationId);
	}

	holds(name: string, folder: string): boolean {
		return path.basename(folder) === name && path.dirname(path.dirname(folder)) === this.#folder;
	}

	async provide(
		{folder, datasetName}: IngestOperation,
		signal: AbortSignal,
		onProgress: (progress: IngestProgress) => void,
	): Promise<void> {
		// It appears whole or not at all.
		if (existsSync(folder)) return;
		const {store, bounds, log} = this.#parts;
		const composition = store.get(folder);
		if (!composition) throw new Error(`what ${datasetName} is composed of is not in the operations file`);
		// Remains of an earlier attempt, from a service that was killed.
		await rm(path.dirname(folder), {recursive: true, force: true});
		try {
			const {work} = composition;
			const summary = await runCompose({work, bounds, signal, log, onProgress});
			store.put({...composition, summary});
		} catch (error) {
			await this.#remove(folder);
			throw error;
		}
	}

	/** The folders that an ingest reads: its own and, for a composition, those of its parents. */
	foldersOf({folder}: Pick<IngestOperation, 'folder'>): readonly string[] {
		return [folder, ...(this.#parts.store.get(folder)?.work.parents ?? []).map(parent => parent.folder)];
	}

	async sweep(): Promise<void> {}

	/** Takes away what was made of a composition that came to nothing. */
	async settle({phase, datasetName, folder}: IngestOperation): Promise<void> {
		if (phase === 'failed' && this.holds(datasetName, folder)) await this.#remove(folder);
	}

	/** A service may have ended between a composition's end and the removal of what it had made. */
	async sweepAll(): Promise<void> {
		const {ingests, lake} = this.#parts;
		const needed = new Set(ingests.unfinished().map(({folder}) => path.dirname(folder)));
		for (const id of await readdir(this.#folder).catch(() => [])) {
			const folder = path.join(this.#folder, id);
			const found = await readdir(folder).catch(() => []);
			const name = found.find(each => !each.startsWith('.')) ?? '';
			if (needed.has(folder) || (await lake.dataset(name))?.folder === path.join(folder, name)) continue;
			await this.#remove(path.join(folder, name));
		}
	}

	async #composition(name: string, found: readonly Recording[]): Promise<Composition> {
		const {lake} = this.#parts;
		const groups = [...Map.groupBy(found, ({dataset_id}) => dataset_id)];
		const datasets: DatasetDetails[] = [];
		for (const [datasetId] of groups) {
			const details = await lake.details(datasetId);
			if (details) datasets.push(details);
		}
		const {refused, leftOut} = compareParents(datasets);
		if (refused.length > 0) throw notOfOneEmbodiment(refused);
		const parents: Composition['work']['parents'] = [];
		for (const [place, [, members]] of groups.entries()) {
			const {folder = '', dataset_name = ''} = datasets[place] ?? {};
			const episodes = members.map(({episode_index, revision}) => ({episode_index, revision}));
			parents.push({folder, dataset_name, ordinal: await lake.nextOrdinal(dataset_name), episodes});
		}
		return {
			work: {target: path.join(this.#folder, randomUUID(), name), name, left_out: [...leftOut], parents},
			parents: groups.map(([dataset_id, members]) => ({
				dataset_id,
				dataset_name: members[0]?.dataset_name ?? '',
				episodes: members.length,
			})),
			summary: null,
		};
	}

	async #checkName(name: string): Promise<void> {
		if (await this.#parts.lake.dataset(name)) throw nameTaken(name);
	}

	async #remove(folder: string): Promise<void> {
		await rm(path.dirname(folder), {recursive: true, force: true}).catch(error =>
			this.#parts.log(`what was composed for ${folder} could not be removed: ${systemReason(error)}`),
		);
	}
}

function nameTaken(name: string): Refusal {
	return new Refusal('conflict', `The name ${name} is taken in this lake. Give another.`);
}

function unknownEpisodes(wanted: ReadonlySet<string>, found: readonly Recording[]): Refusal {
	const known = new Set(found.map(({episode_id}) => episode_id));
	const lost = [...wanted].filter(id => !known.has(id));
	const more = lost.length > 1 ? ` and ${lost.length - 1} more` : '';
	return new Refusal(
		'absent',
		`There is no episode ${lost[0]}${more} in this lake: they changed or went since they were listed. List them again.`,
	);
}

function allRejected(count: number): Refusal {
	const which = count === 1 ? 'The episode is' : `All ${count} episodes are`;
	const msg = `${which} rejected, and rejected ones are left out unless they are asked for: nothing is left to compose.`;
	return new Refusal('invalid', [{loc: ['body', 'include_rejected'], msg, type: 'value_error'}]);
}

function notOfOneEmbodiment(differences: readonly string[]): Refusal {
	return new Refusal(
		'invalid',
		differences.slice(0, mostDifferences).map(difference => ({
			loc: ['body', 'episode_ids'],
			msg: `Layouts differ: ${difference}`,
			type: 'value_error',
		})),
	);
}

function recordOf(
	operation: IngestOperation,
	{work, parents, summary, rejectedLeftOut = 0}: Composition,
): ComposeRecord {
	return {
		...ingestRecordOf(operation),
		parents: parents.map(parent => ({...parent})),
		features_left_out: work.left_out,
		rejected_left_out: rejectedLeftOut,
		episode_count: parents.reduce((sum, {episodes}) => sum + episodes, 0),
		summary,
	};
}

/** One provider of several: whichever holds a folder. */
export function firstThatHolds(providers: readonly FolderProvider[]): FolderProvider {
	const of = (name: string, folder: string) => providers.find(provider => provider.holds(name, folder));
	return {
		holds: (name, folder) => of(name, folder) !== undefined,
		provide: async (operation, signal, onProgress) =>
			of(operation.datasetName, operation.folder)?.provide(operation, signal, onProgress),
		sweep: async name => {
			for (const provider of providers) await provider.sweep(name);
		},
	};
}

/**
 * Composes a dataset in a process of its own.
 *
 * @throws {Error} with the reason; the signal's where that was aborted
 */
async function runCompose({
	work,
	bounds,
	signal,
	log,
	onProgress,
}: {
	work: ComposeWork;
	bounds: ChildBounds;
	signal: AbortSignal;
	log: Log;
	onProgress: (progress: IngestProgress) => void;
}): Promise<ComposeSummary> {
	const folder = work.target;
	let summary: ComposeSummary | undefined;
	let failure: string | undefined;
	const child = await runBounded({
		entry: programEntry('embedded-service.js', 'main.ts'),
		args: ['compose'],
		input: JSON.stringify(work),
		bounds,
		signal,
		onOutput: lineReader(composeReport, ({type, ...report}) => {
			if (type === 'progress') onProgress(report as IngestProgress);
			else if (type === 'done') summary = report as ComposeSummary;
			else failure = (report as {message: string}).message;
		}),
	});
	const end = await child.end;
	signal.throwIfAborted();
	if (failure !== undefined) throw new Error(failure);
	if (summary && end.code === 0) return summary;
	log(`composing ${folder}: ${end.lastWords}`);
	throw new Error(reasonForEnd(end, bounds, `Writing ${folder}`, `wrote ${folder}`));
}
