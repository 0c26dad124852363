import * as z from 'zod';
import {datasetName} from './episode.ts';
import {dateTime, uuid} from './scalars.ts';
import {syncStatus} from './sync-status.ts';

/**
 * Endpoints of the embedded service alone, under `/local/v1`. These shapes are lakescope's own
 * (ARCHITECTURE.md, "Shapes of our own"); no hosted service is expected to know them.
 */

/** `GET /local/v1`: says that this is an embedded service, and over which lake. Anything else means it is not. */
export const localDocument = z.lazy(() =>
	z.looseObject({
		service: z.literal('lakescope'),
		version: z.string(),
		lake: z.looseObject({
			/** The lake's folder on the service's machine. */
			folder: z.string(),
			/** True for the sample lake, whose episodes are simulated. */
			sample: z.boolean(),
			/** Why the lake can only be read; null where it can be written. */
			read_only: z.string().nullish(),
			datasets: z.int(),
			episodes: z.int(),
			/** Datasets on which a training would fail, since videos that they name are not there. */
			untrainable: z.int().optional(),
		}),
		/** The names of the abilities below `/local/v1` that this version has. */
		abilities: z.array(z.string()),
	}),
);
export type LocalDocument = z.output<typeof localDocument>;

/** `POST /local/v1/ingests`: take a dataset folder of the service's machine into the lake. */
export const ingestRequest = z.lazy(() =>
	z.strictObject({
		/** Absolute path of a dataset's root. */
		folder: z.string().min(1).startsWith('/', {error: 'must be an absolute path'}),
		/** The dataset's name in the lake; by default the folder's own. */
		name: datasetName.optional(),
	}),
);
export type IngestRequest = z.input<typeof ingestRequest>;

/** Something an ingest found broken and left out, or took with a reservation. */
export const ingestProblem = z.looseObject({
	/** The file, relative to the dataset's root. */
	file: z.string(),
	episode_index: z.int().nullish(),
	message: z.string(),
	/** A training on the dataset would fail by it: a video that is named is not there. */
	prevents_training: z.boolean().optional(),
});
export type IngestProblem = z.output<typeof ingestProblem>;

/** One ingest, running or ended. `status` answers as `GET /v1/datasets/sync-status/{operation_id}` does. */
export const ingestRecord = z.looseObject({
	operation_id: uuid,
	/** The dataset's id, which is also its repo's. */
	repo_id: uuid,
	dataset_name: z.string(),
	folder: z.string(),
	status: syncStatus,
	problems: z.array(ingestProblem),
	/** How many problems there were in all; `problems` holds the first of them. */
	problem_count: z.int(),
	created_at: dateTime,
	updated_at: dateTime,
});
export type IngestRecord = z.output<typeof ingestRecord>;

/** `GET /local/v1/ingests`: newest first. Their problems are counted; an ingest's own record has them in words. */
export const ingestListResponse = z.looseObject({items: z.array(ingestRecord)});
export type IngestListResponse = z.output<typeof ingestListResponse>;

/** The content of `progress_json` of the embedded service's own ingest. */
export const ingestProgress = z.looseObject({
	done: z.int(),
	total: z.int(),
	unit: z.string(),
	step: z.string(),
	detail: z.string().optional(),
});
export type IngestProgress = z.output<typeof ingestProgress>;

/** `POST` and `GET /local/v1/sample`: how far the sample lake is written and ingested. */
export const sampleStatus = z.lazy(() =>
	z.looseObject({
		phase: z.enum(['absent', 'writing', 'ingesting', 'ready', 'failed']),
		/** Datasets of the sample that are in the lake, of `datasets_total`. */
		datasets_done: z.int(),
		datasets_total: z.int(),
		/** The current step. */
		step: z.string().optional(),
		/** The same in episodes, for a bar: writing one and taking it in are half of it each. */
		progress: ingestProgress.optional(),
		/** The reason, when the phase is `failed`. */
		message: z.string().optional(),
	}),
);
export type SampleStatus = z.output<typeof sampleStatus>;

/** The first line of `GET /local/v1/presence`: who answers. */
export type PresenceDocument = {
	readonly service: 'lakescope';
	readonly version: string;
	readonly pid: number;
	/** The lake folder's real path. */
	readonly lake: string;
	readonly sample: boolean;
};
