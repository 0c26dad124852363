import path from 'node:path';
import type {IngestProgress} from '../../contract/local.ts';
import {progressDatasets} from '../../lerobot/read-reward-progress.ts';
import type {Log} from '../host/log.ts';
import {systemReason} from '../host/start-error.ts';
import type {LakeEngine} from '../lake/engine.ts';
import type {IngestOperation} from '../operations/ingest-operation.ts';
import type {IngestStore} from '../operations/ingest-store.ts';
import {assemble} from './assemble.ts';
import type {BlobStore} from './blob-store.ts';
import {type FileLayer, machineFiles} from './file-layer.ts';
import type {UploadStore} from './upload-store.ts';

type UploadedDatasetsOptions = {
	readonly lakeFolder: string;
	readonly lake: Pick<LakeEngine, 'dataset'>;
	readonly uploads: UploadStore;
	readonly ingests: IngestStore;
	readonly blobs: BlobStore;
	readonly log: Log;
	/** Folders of datasets that something reads: a job that trains on one. */
	readonly inUse: () => readonly string[];
	/** @default the machine's own */
	readonly files?: FileLayer;
};

/**
 * The datasets that came as uploads: `uploads/datasets/NAME/REVISION`, one folder a manifest. Each is made when its
 * re-ingest begins, and removed once a newer generation is finalized and nothing reads it any more.
 */
export class UploadedDatasets {
	readonly #options: UploadedDatasetsOptions;
	readonly #files: FileLayer;
	readonly #folder: string;
	readonly #workshop: string;

	constructor(options: UploadedDatasetsOptions) {
		this.#options = options;
		this.#files = options.files ?? machineFiles;
		this.#folder = path.join(options.lakeFolder, 'uploads', 'datasets');
		this.#workshop = path.join(options.lakeFolder, 'uploads', 'assembling');
	}

	folderOf(name: string, revision: string): string {
		return path.join(this.#folder, name, revision);
	}

	/** True if a folder is a revision of the uploaded dataset of this name. */
	holds(name: string, folder: string): boolean {
		return path.dirname(folder) === path.join(this.#folder, name);
	}

	/** Makes the folder of an upload's re-ingest, unless it is there. Other ingests read folders that are not ours. */
	async provide(
		{operationId, datasetName, folder}: IngestOperation,
		signal: AbortSignal,
		onProgress: (progress: IngestProgress) => void,
	): Promise<void> {
		if (!this.holds(datasetName, folder)) return;
		const manifest = this.#options.uploads.manifestOf(operationId);
		if (!manifest) throw new Error(`the manifest of operation ${operationId} is not in the operations file`);
		const {blobs} = this.#options;
		const [target, workshop, files] = [folder, this.#workshop, this.#files];
		await assemble({manifest, blobs, target, workshop, signal, onProgress, files});
	}

	/** Removes the revisions of a dataset that neither the lake nor anything under way needs. */
	async sweep(name: string): Promise<void> {
		const {lake, log} = this.#options;
		try {
			const current = (await lake.dataset(name))?.folder;
			// A failed re-ingest's folder is what its message speaks of; it goes with the next one that is finalized.
			if (current === undefined || !this.holds(name, current)) return;
			for (const revision of await this.#files.namesIn(path.join(this.#folder, name))) {
				const folder = this.folderOf(name, revision);
				if (!(await this.#isNeeded(name, folder))) await this.#files.remove(folder);
			}
		} catch (error) {
			log(`old revisions of ${name} could not be removed: ${systemReason(error)}`);
		}
	}

	/** True if the lake, an ingest or a job reads a folder or the progress of reward models in it. */
	async #isNeeded(name: string, folder: string): Promise<boolean> {
		const {lake, ingests, inUse} = this.#options;
		const held = await Promise.all([name, ...progressDatasets(name)].map(each => lake.dataset(each)));
		const read = [
			...held.flatMap(dataset => dataset?.folder ?? []),
			...ingests.unfinished().map(operation => operation.folder),
			...inUse(),
		];
		return read.some(each => each === folder || each.startsWith(`${folder}${path.sep}`));
	}

	/** Removes what earlier services left: half-made folders, and revisions that are needed no more. */
	async sweepAll(): Promise<void> {
		try {
			await this.#files.remove(this.#workshop);
			for (const name of await this.#files.namesIn(this.#folder)) await this.sweep(name);
		} catch (error) {
			this.#options.log(`what uploads left could not be removed: ${systemReason(error)}`);
		}
	}
}
