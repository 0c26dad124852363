import type {DatabaseSync} from 'node:sqlite';
import type {Activity} from '../host/activity.ts';
import type {Announce} from '../host/announce.ts';
import type {Log} from '../host/log.ts';
import {systemReason} from '../host/start-error.ts';
import type {IngestSupervisor} from '../ingest/ingest-supervisor.ts';
import type {LakeEngine} from '../lake/engine.ts';
import type {IngestStore} from '../operations/ingest-store.ts';
import {BlobCollector} from './blob-collector.ts';
import {BlobIntake} from './blob-intake.ts';
import {BlobStore} from './blob-store.ts';
import {Transfers} from './transfers.ts';
import {FeedService} from './upload-feed.ts';
import {UploadRoom} from './upload-room.ts';
import {UploadStore} from './upload-store.ts';
import {UploadedDatasets} from './uploaded-datasets.ts';
import {Uploads} from './uploads.ts';

type OpenUploadsOptions = {
	/** The lake folder's real path. */
	readonly lakeFolder: string;
	readonly database: DatabaseSync;
	readonly lake: Pick<LakeEngine, 'dataset'>;
	readonly ingests: IngestStore;
	readonly activity: Pick<Activity, 'begin'>;
	readonly announce: Announce;
	readonly log: Log;
	/** How long nothing may come of a transfer before it counts as stopped. */
	readonly quietMs: number;
	/** How many bytes of uploads are stored at most. @default as many as the disk has room for */
	readonly quota?: number | undefined;
	/** Folders of datasets that something reads. */
	readonly inUse: () => readonly string[];
};

/** The parts of a lake's service that handle uploads. */
export type OpenUploads = {
	readonly datasets: UploadedDatasets;
	readonly transfers: Transfers;
	readonly intake: BlobIntake;
	readonly feed: FeedService;
	readonly collector: BlobCollector;
	/** Starts, commits and cancels uploads, once the ingest supervisor is there. */
	withSupervisor(supervisor: Pick<IngestSupervisor, 'dispatch' | 'holderOf'>): Uploads;
	/** Keeps the files of a repo's uploads no longer for it. */
	dropUploads(repoId: string): void;
	/** Removes what earlier services left half-done or need no more. */
	sweep(): Promise<void>;
};

/** Opens the uploads of a lake. */
export function openUploads(options: OpenUploadsOptions): OpenUploads {
	const {lakeFolder, lake, ingests, activity, announce, log, quietMs, inUse, quota} = options;
	const uploads = new UploadStore(options.database);
	const blobs = new BlobStore(lakeFolder);
	const transfers = new Transfers({quietMs, now: Date.now, hold: () => activity.begin('operation')});
	const datasets = new UploadedDatasets({lakeFolder, lake, uploads, ingests, blobs, log, inUse});
	const feed = new FeedService({lakeFolder, uploads, ingests, transfers, announce});
	const onPhase = feed.notify.bind(feed);
	return {
		datasets,
		transfers,
		feed,
		collector: new BlobCollector({blobs, uploads, log}),
		intake: new BlobIntake({
			lakeFolder,
			uploads,
			blobs,
			transfers,
			room: new UploadRoom({lakeFolder, blobs, quota}),
		}),
		withSupervisor: supervisor =>
			new Uploads({lakeFolder, uploads, ingests, blobs, datasets, transfers, supervisor, onPhase}),
		dropUploads: repoId => uploads.dropManifests(repoId),
		sweep: async () => {
			await blobs.sweep().catch(error => log(`half-received blobs stay: ${systemReason(error)}`));
			await datasets.sweepAll();
		},
	};
}
