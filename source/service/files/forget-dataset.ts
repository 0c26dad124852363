import {rm} from 'node:fs/promises';
import path from 'node:path';
import type {ForgetRecord} from '../../contract/local-forget.ts';
import {progressDatasets} from '../../lerobot/read-reward-progress.ts';
import {type Busy, isWithin, userOf} from '../host/dataset-users.ts';
import type {Log} from '../host/log.ts';
import {Refusal} from '../host/refusal.ts';
import {systemReason} from '../host/start-error.ts';
import type {HeldDataset, LakeEngine} from '../lake/engine.ts';

type Parts = {
	readonly lakeFolder: string;
	readonly lake: Pick<LakeEngine, 'datasetById' | 'dataset' | 'remove'>;
	readonly marked: (datasetName: string) => number;
	readonly busy: () => Busy;
	/** Uploaded files of the dataset need not be kept for it any more. */
	readonly dropUploads: (datasetId: string) => void;
	readonly log: Log;
};

/** Rooms of the lake's folder with a folder for each dataset that is made there. */
const rooms = ['composed', 'augmentations', 'datasets', path.join('uploads', 'datasets')] as const;

/** The folder in the lake that holds a dataset's files and those of no other; undefined for one that a person gave. */
function copyOf(lakeFolder: string, folder: string): string | undefined {
	for (const room of rooms) {
		const below = path.relative(path.join(lakeFolder, room), folder);
		if (below === '' || below.startsWith('..') || path.isAbsolute(below)) continue;
		return path.join(lakeFolder, room, below.split(path.sep, 1)[0] ?? '');
	}
	return undefined;
}

/** Takes datasets out of the lake. Files are deleted only where the lake itself made them. */
export class DatasetForgetting {
	readonly #parts: Parts;

	constructor(parts: Parts) {
		this.#parts = parts;
	}

	/** @throws {Refusal} `absent` for a dataset that the lake does not hold */
	async plan(datasetId: string): Promise<ForgetRecord> {
		return this.#planOf(await this.#held(datasetId));
	}

	/** @throws {Refusal} `absent` for a dataset that the lake does not hold, `conflict` for one that is in use */
	async forget(datasetId: string): Promise<ForgetRecord> {
		const {lake, dropUploads, log} = this.#parts;
		const held = await this.#held(datasetId);
		// The progress of reward models lies in the folder that is deleted with its dataset.
		const progresses = await Promise.all(progressDatasets(held.dataset_name).map(name => lake.dataset(name)));
		const plan = this.#planOf(held);
		if (plan.refused !== null) throw new Refusal('conflict', plan.refused);
		await lake.remove(held.dataset_id);
		dropUploads(held.dataset_id);
		for (const copy of plan.copies) {
			for (const progress of progresses) {
				if (progress && isWithin(progress.folder, copy)) await lake.remove(progress.dataset_id);
			}
			await rm(copy, {recursive: true, force: true}).catch(error => {
				const reason = systemReason(error);
				log(`${copy} could not be deleted: ${reason}`);
				throw new Refusal(
					'failed',
					`${held.dataset_name} is forgotten, but its copy ${copy} could not be deleted: ${reason}. Delete it by hand.`,
				);
			});
		}
		log(`forgot ${held.dataset_name} (${held.folder})`);
		return plan;
	}

	async #held(datasetId: string): Promise<HeldDataset> {
		const held = await this.#parts.lake.datasetById(datasetId);
		if (held) return held;
		throw new Refusal('absent', `There is no dataset ${datasetId} in this lake.`);
	}

	#planOf({dataset_id, dataset_name, folder, episode_count}: HeldDataset): ForgetRecord {
		const {lakeFolder, busy, marked} = this.#parts;
		const copy = copyOf(lakeFolder, folder);
		const user = userOf(busy(), copy === undefined ? [folder] : [folder, copy]);
		return {
			dataset_id,
			dataset_name,
			folder,
			episodes: episode_count,
			// A single file in a copy is the progress of a reward model: the copy is another dataset's.
			copies: copy !== undefined && path.extname(folder) !== '.parquet' ? [copy] : [],
			marked: marked(dataset_name),
			refused: user ? `${dataset_name} cannot be forgotten while ${user}.` : null,
		};
	}
}
