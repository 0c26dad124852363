import {randomUUID} from 'node:crypto';
import {access, constants, mkdir, realpath, rm, statfs} from 'node:fs/promises';
import path from 'node:path';
import type {DatabaseSync} from 'node:sqlite';
import {setTimeout as delay} from 'node:timers/promises';
import type {ConcurrencyLimit} from '../../concurrency.ts';
import type {IngestProgress, IngestRecord} from '../../contract/local.ts';
import type {DamageReport, DatasetDamage, RepairPlan, RepairRequest} from '../../contract/local-repair.ts';
import {hubSnapshot} from '../../files/hub-cache.ts';
import {damageKinds, isDamageId} from '../../lerobot/check/damage.ts';
import {progressModelOf} from '../../lerobot/read-reward-progress.ts';
import {newestRepair} from '../../lerobot/repair/journal.ts';
import {type Busy, userOf} from '../host/dataset-users.ts';
import {Refusal} from '../host/refusal.ts';
import {systemReason} from '../host/start-error.ts';
import type {FolderProvider, IngestSupervisor} from '../ingest/ingest-supervisor.ts';
import type {HeldDataset, LakeEngine} from '../lake/engine.ts';
import {type IngestOperation, ingestRecordOf} from '../operations/ingest-operation.ts';
import type {IngestStore} from '../operations/ingest-store.ts';
import type {ChildBounds} from '../workers/bounded-child.ts';
import {runCheck, runPlan, runRepair} from './repair-run.ts';

/** Repairs that were ordered, by the folder: the next ingest of it begins with it. */
export const repairTables = `
	CREATE TABLE IF NOT EXISTS repairs (
		folder TEXT PRIMARY KEY,
		request TEXT NOT NULL
	) STRICT;
`;

type Parts = {
	readonly lakeFolder: string;
	readonly lake: Pick<LakeEngine, 'datasetById'>;
	readonly database: DatabaseSync;
	readonly ingests: IngestStore;
	readonly uploaded: {holds(name: string, folder: string): boolean};
	readonly busy: () => Busy;
	readonly slots: ConcurrencyLimit;
	readonly bounds: ChildBounds;
};

/** A check that runs, or ended not long ago. */
type Look = {
	readonly key: string;
	readonly end: AbortController;
	readonly outcome: Promise<readonly DatasetDamage[] | Error>;
	forgotten: NodeJS.Timeout;
};

/** Milliseconds after which a request is answered while the check goes on. */
const answerMs = 5000;
/** Milliseconds after which a check that is not asked for any more is ended, or forgotten. */
const keptMs = 10_000;

/**
 * The damages of the lake's datasets, and their repairs. A repair is an ingest of the folder that begins with it, so that its
 * progress, its end and its taking up after a restart are those of any ingest, and others see it as one.
 */
export class DatasetRepairs implements FolderProvider {
	readonly #parts: Parts;
	readonly #looks = new Map<string, Look>();

	constructor(parts: Parts) {
		this.#parts = parts;
	}

	/** @throws {Refusal} `absent` for a dataset that the lake does not hold */
	async damages(datasetId: string): Promise<DamageReport> {
		const held = await this.#held(datasetId);
		const {dataset_id, dataset_name, folder} = held;
		const look = this.#look(held);
		const waiting = new AbortController();
		const outcome = await Promise.race([
			look.outcome,
			delay(answerMs, undefined, {signal: waiting.signal}).catch(() => undefined),
		]);
		waiting.abort();
		const root = await realpath(folder).catch(() => folder);
		const newest = await newestRepair(root).catch(() => undefined);
		return {
			dataset_id,
			dataset_name,
			folder,
			state: outcome === undefined ? 'checking' : outcome instanceof Error ? 'failed' : 'checked',
			message: outcome instanceof Error ? outcome.message : null,
			damages: outcome === undefined || outcome instanceof Error ? [] : [...outcome],
			undo: newest ? {repairs: [...newest.repairs], made: newest.made} : null,
			refused: (await this.#refusal(held)) ?? null,
		};
	}

	/** @throws {Refusal} `absent` for a dataset that the lake does not hold, `failed` where its folder cannot be read */
	async plan(datasetId: string, request: RepairRequest): Promise<RepairPlan> {
		const held = await this.#held(datasetId);
		const {dataset_name, folder} = held;
		const refused = (await this.#refusal(held)) ?? null;
		const found = await statfs(folder).catch(() => undefined);
		const about = {dataset_name, folder, refused, free: found ? found.bavail * found.bsize : 0};
		if (refused !== null || 'undo' in request) return {...about, repairs: [], files: [], bytes: 0};
		const ids = idsOf(request.ids);
		const signal = new AbortController().signal;
		const leave = await this.#parts.slots.take(signal);
		try {
			return {...about, ...(await runPlan(folder, ids, this.#parts.bounds, signal))};
		} catch (error) {
			throw new Refusal('failed', (error as Error).message);
		} finally {
			leave();
		}
	}

	/**
	 * Orders a repair, or that one is taken back, and the ingest that follows it.
	 *
	 * @throws {Refusal} `absent` for a dataset that the lake does not hold, `conflict` where it is in use or cannot be written
	 */
	async order(
		datasetId: string,
		request: RepairRequest,
		supervisor: Pick<IngestSupervisor, 'dispatch'>,
	): Promise<IngestRecord> {
		const {ingests, database} = this.#parts;
		const held = await this.#held(datasetId);
		const {dataset_name: name, folder} = held;
		if ('ids' in request) idsOf(request.ids);
		const refused = await this.#refusal(held);
		if (refused !== undefined) throw new Refusal('conflict', refused);
		let operation: IngestOperation | undefined;
		const submission = await supervisor.dispatch({
			name,
			isOwn: other => other === folder,
			accept: () => {
				// Another may have ordered it meanwhile.
				if (ingests.unfinishedOf(name).length > 0) return undefined;
				database.prepare('INSERT OR REPLACE INTO repairs VALUES (?, ?)').run(folder, JSON.stringify(request));
				operation = ingests.create(name, folder);
				return operation;
			},
		});
		if (submission.kind === 'conflict' || !operation) {
			throw new Refusal(
				'conflict',
				`${name} cannot be repaired while it is being ingested: wait until it ends.`,
			);
		}
		this.#forget(held.dataset_id);
		return ingestRecordOf(operation);
	}

	holds(_name: string, folder: string): boolean {
		return this.#ordered(folder) !== undefined;
	}

	async provide(
		{folder, datasetName}: IngestOperation,
		signal: AbortSignal,
		onProgress: (progress: IngestProgress) => void,
	): Promise<void> {
		const request = this.#ordered(folder);
		if (!request) return;
		onProgress({done: 0, total: 1, unit: 'repairs', step: 'undo' in request ? 'taking back' : 'repairing'});
		try {
			const work =
				'undo' in request
					? ({do: 'undo', folder, made: request.undo} as const)
					: ({do: 'repair', folder, ids: idsOf(request.ids)} as const);
			await runRepair(work, this.#parts.bounds, signal);
		} catch (error) {
			// The next service takes up what ends with this one.
			if (signal.aborted) throw error;
			this.#settle(folder);
			const what = 'undo' in request ? 'its repair could not be taken back' : 'it could not be repaired';
			throw new Error(`${what} (${datasetName}): ${(error as Error).message}`);
		}
		this.#settle(folder);
	}

	async sweep(): Promise<void> {}

	/** Ends the checks that run. */
	async stop(): Promise<void> {
		const looks = [...this.#looks.values()];
		for (const {key} of looks) this.#drop(key);
		await Promise.all(looks.map(({outcome}) => outcome));
	}

	#ordered(folder: string): RepairRequest | undefined {
		const row = this.#parts.database.prepare('SELECT request FROM repairs WHERE folder = ?').get(folder);
		return row && (JSON.parse(String(row.request)) as RepairRequest);
	}

	#settle(folder: string): void {
		this.#parts.database.prepare('DELETE FROM repairs WHERE folder = ?').run(folder);
	}

	async #held(datasetId: string): Promise<HeldDataset> {
		const held = await this.#parts.lake.datasetById(datasetId);
		if (held) return held;
		throw new Refusal('absent', `There is no dataset ${datasetId} in this lake.`);
	}

	/** The reason why a dataset cannot be repaired now; undefined where it can. */
	async #refusal({dataset_name: name, folder}: HeldDataset): Promise<string | undefined> {
		const {busy, uploaded} = this.#parts;
		if (progressModelOf(folder) !== undefined)
			return `${name} is the progress of a reward model: there is nothing to repair.`;
		if (uploaded.holds(name, folder)) {
			return `${name} was uploaded: repair it where it was uploaded from, and upload it again.`;
		}
		const user = userOf(busy(), [folder]);
		if (user !== undefined) return `${name} cannot be repaired while ${user}.`;
		const root = await realpath(folder).catch(() => undefined);
		if (root === undefined) return `${name} cannot be repaired: ${folder} is not there any more.`;
		if (hubSnapshot(root)) {
			return `${name} is a snapshot of the Hub's cache, which is never written. lakescope repair ${folder} copies it out and repairs the copy.`;
		}
		try {
			for (const place of [root, path.join(root, 'meta'), path.dirname(root)]) {
				await access(place, constants.W_OK);
			}
		} catch (error) {
			return `${name} cannot be repaired, as its folder or the one that it lies in cannot be written (${systemReason(error)}). Repair a copy of it.`;
		}
		return undefined;
	}

	/** The check of a dataset as it is, which runs already or begins. */
	#look({dataset_id, folder, generation}: HeldDataset): Look {
		const key = `${dataset_id} ${generation}`;
		const known = this.#looks.get(key);
		if (known) {
			known.forgotten.refresh();
			return known;
		}
		const end = new AbortController();
		const outcome = this.#check(folder, end.signal).catch(error =>
			error instanceof Error ? error : new Error('It was ended.'),
		);
		const forgotten = setTimeout(() => this.#drop(key), answerMs + keptMs);
		forgotten.unref();
		const look: Look = {key, end, outcome, forgotten};
		this.#looks.set(key, look);
		return look;
	}

	async #check(folder: string, signal: AbortSignal): Promise<readonly DatasetDamage[]> {
		const {slots, bounds, lakeFolder} = this.#parts;
		const leave = await slots.take(signal);
		const scratch = path.join(lakeFolder, 'staging', `check-${randomUUID()}`);
		try {
			await mkdir(scratch, {recursive: true, mode: 0o700});
			return await runCheck(folder, scratch, bounds, signal);
		} finally {
			leave();
			await rm(scratch, {recursive: true, force: true}).catch(() => undefined);
		}
	}

	#drop(key: string): void {
		const look = this.#looks.get(key);
		if (!look) return;
		this.#looks.delete(key);
		clearTimeout(look.forgotten);
		look.end.abort(new Error('The check was ended, as it was not asked for any more.'));
	}

	#forget(datasetId: string): void {
		for (const key of this.#looks.keys()) if (key.startsWith(`${datasetId} `)) this.#drop(key);
	}
}

/** @throws {Refusal} `invalid` for a damage that cannot be repaired */
function idsOf(ids: readonly string[]): string[] {
	const unknown = ids.find(id => !isDamageId(id) || damageKinds[id].repair === null);
	if (unknown === undefined) return [...ids];
	const msg = `There is no repair of ${JSON.stringify(unknown)}.`;
	throw new Refusal('invalid', [{loc: ['body', 'ids'], msg, type: 'value_error'}]);
}
