import {randomUUID} from 'node:crypto';
import path from 'node:path';
import {datasetName} from '../../contract/episode.ts';
import type {AugmentationRequest} from '../../contract/local-augmentations.ts';
import {Refusal} from '../host/refusal.ts';
import type {JobLinks} from '../jobs/records/job-links.ts';
import {findDataset} from '../jobs/rules/training-dataset.ts';
import type {DatasetDetails, LakeEngine} from '../lake/engine.ts';
import type {IngestStore} from '../operations/ingest-store.ts';
import {type Augmentation, pendingPhases} from './augmentation.ts';
import {type AugmentationRunner, augmentationsFolder} from './augmentation-runner.ts';
import type {AugmentationStore} from './augmentation-store.ts';

type ControllerOptions = {
	readonly lakeFolder: string;
	readonly lake: Pick<LakeEngine, 'details' | 'dataset' | 'rejectedOf'>;
	readonly store: AugmentationStore;
	readonly ingests: IngestStore;
	readonly links: JobLinks;
	readonly runner: AugmentationRunner;
};

/** The suffix of a trimmed dataset's name, where none is given. */
const suffix = '-trimmed';

/** The longest that a dataset's name may be. */
const longestName = 128;

/** Takes orders for augmentations. */
export class AugmentationService {
	readonly #options: ControllerOptions;

	constructor(options: ControllerOptions) {
		this.#options = options;
	}

	/**
	 * Accepts an augmentation: its credits are reserved, and it is durable.
	 *
	 * @throws {Refusal} `absent` for a dataset that the lake does not hold, `conflict` for a name that is taken, `invalid` for a dataset
	 * that has no episodes to trim, or none but rejected ones
	 */
	async order({dataset: wanted, name, include_rejected = false}: AugmentationRequest): Promise<Augmentation> {
		const {lake, lakeFolder, store, links, runner} = this.#options;
		const dataset = await this.#parent(wanted);
		const held = await lake.dataset(dataset.dataset_name);
		const newName = name ?? (await this.#freeName(dataset.dataset_name));
		const leftOut = include_rejected ? [] : await lake.rejectedOf(dataset.dataset_name);
		if (leftOut.length > 0 && leftOut.length === held?.episode_count) throw allRejected(dataset);
		const inLake = (await lake.dataset(newName)) !== undefined;
		// From here on nothing is waited for, so that of two orders for one name the second finds the first.
		if (inLake || this.#isUnderWay(newName)) {
			throw new Refusal('conflict', `The name ${newName} is taken in this lake. Give another.`);
		}
		const jobId = randomUUID();
		const createdAt = new Date().toISOString();
		const job: Augmentation = {
			jobId,
			datasetId: dataset.dataset_id,
			datasetName: dataset.dataset_name,
			datasetFolder: dataset.folder,
			name: newName,
			target: path.join(augmentationsFolder(lakeFolder), jobId, newName),
			ordinal: store.completedOf(dataset.dataset_id),
			leftOut,
			status: 'queued',
			phases: pendingPhases(),
			message: null,
			attempts: 0,
			progress: null,
			summary: null,
			operationId: null,
			augmentedDatasetId: null,
			problems: [],
			problemCount: 0,
			createdAt,
			updatedAt: createdAt,
			endedAt: null,
		};
		store.create(job, Number(held?.total_frames ?? 0));
		links.add(dataset.dataset_id, jobId, 'input');
		runner.start(job);
		return job;
	}

	async #parent(wanted: string): Promise<DatasetDetails> {
		const dataset = await findDataset(this.#options.lake, wanted);
		if (!dataset) {
			const asked = JSON.stringify(wanted.slice(0, 200));
			throw new Refusal(
				'absent',
				`There is no dataset ${asked} in this lake. Give its id, its name, or its path local/NAME.`,
			);
		}
		if (dataset.subtype === 'lerobot_v3') return dataset;
		const msg = `${dataset.dataset_name} is of the type ${dataset.subtype}, which has no episodes to trim.`;
		throw new Refusal('invalid', [{loc: ['body', 'dataset'], msg, type: 'value_error'}]);
	}

	async #freeName(parent: string): Promise<string> {
		for (let number = 1; ; number++) {
			const ending = number === 1 ? suffix : `${suffix}-${number}`;
			const name = datasetName.parse(parent.slice(0, longestName - ending.length) + ending);
			if (!this.#isUnderWay(name) && !(await this.#options.lake.dataset(name))) return name;
		}
	}

	/** True while another operation makes or ingests a dataset of this name. */
	#isUnderWay(name: string): boolean {
		const {ingests, store} = this.#options;
		return ingests.unfinishedOf(name).length > 0 || store.unfinished().some(job => job.name === name);
	}
}

function allRejected({dataset_name}: DatasetDetails): Refusal {
	const msg = `All episodes of ${dataset_name} are rejected, and rejected ones are left out unless they are asked for: nothing is left to trim.`;
	return new Refusal('invalid', [{loc: ['body', 'include_rejected'], msg, type: 'value_error'}]);
}
