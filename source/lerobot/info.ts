import * as z from 'zod';
import {DatasetError} from './dataset-error.ts';
import {
	defaultChunksSizeV21,
	defaultDataPath,
	defaultDataPathV21,
	defaultVideoPath,
	defaultVideoPathV21,
} from './layout.ts';

const count = z.int().nonnegative();

/** A path with placeholders: no longer than a path can be. */
const template = z.string().min(1).max(4096);

/** A feature as `info.json` declares it. Encoder details (`info`) and other keys are ignored. */
const feature = z.looseObject({
	dtype: z.string().min(1),
	shape: z.array(count).default([]),
	names: z.unknown().optional(),
});
export type Feature = z.output<typeof feature>;

/** `meta/info.json`, as far as it is read. Unknown keys occur and are ignored. */
const info = z.looseObject({
	codebase_version: z.string(),
	fps: z.number().positive(),
	features: z.record(z.string(), feature),
	total_episodes: count.nullish(),
	total_frames: count.nullish(),
	robot_type: z.string().nullish(),
	data_path: template.nullish(),
	/** Null or absent where the dataset has no video. */
	video_path: template.nullish(),
	chunks_size: z.int().positive().nullish(),
});

/** The versions of the format that are read: v3.0 gathers episodes in files, v2.1 and v2.0 give each its own. */
type DatasetFormat = 'v3.0' | 'v2.1';

/** The content of `meta/info.json`, with the format's own paths where it has none. */
export type DatasetInfo = z.output<typeof info> & {
	readonly format: DatasetFormat;
	readonly data_path: string;
	/** Where a camera's videos are looked for, whether or not there are any. */
	readonly videoTemplate: string;
	/** Episodes in a chunk folder of v2.1. */
	readonly chunksSize: number;
};

/**
 * Reads the text of `meta/info.json`.
 *
 * @param folder the dataset's root, for the sentences.
 * @throws {DatasetError} where it is not JSON, of another version, or breaks the format.
 */
export function parseInfo(text: string, folder: string): DatasetInfo {
	const json = parseJson(text, folder);
	const version = z.looseObject({codebase_version: z.string()}).safeParse(json);
	if (!version.success) {
		throw new DatasetError(
			`${folder} is not a LeRobot dataset: meta/info.json has no codebase_version. Give the root of a dataset, the folder that holds meta/, data/ and videos/.`,
		);
	}
	refuseOtherStorage(json, folder);
	const format = formatOf(version.data.codebase_version, folder);
	const parsed = info.safeParse(json);
	if (parsed.success) return withPaths(parsed.data, format);
	const issue = parsed.error.issues[0];
	throw new DatasetError(
		`meta/info.json of ${folder} breaks the LeRobot ${format} format at ${issue?.path.join('.') || 'its root'}: ${issue?.message}.`,
	);
}

/** LeRobot also reads frames from tables of Lance, which hold what parquet files, videos and metadata hold elsewhere. */
function refuseOtherStorage(json: unknown, folder: string): void {
	const {data} = z.looseObject({storage_format: z.string().nullish()}).safeParse(json);
	const storage = data?.storage_format;
	if (storage == null || storage === 'parquet') return;
	throw new DatasetError(
		`${folder} is stored as ${storage} (storage_format in meta/info.json), which lakescope does not read: its frames are in ${storage === 'lance' ? 'frames.lance and videos.lance' : 'no parquet file'}. Take the parquet dataset that it was converted from.`,
	);
}

function withPaths(read: z.output<typeof info>, format: DatasetFormat): DatasetInfo {
	const [dataPath, videoPath] =
		format === 'v2.1' ? [defaultDataPathV21, defaultVideoPathV21] : [defaultDataPath, defaultVideoPath];
	return {
		...read,
		format,
		data_path: read.data_path ?? dataPath,
		videoTemplate: read.video_path ?? videoPath,
		chunksSize: read.chunks_size ?? defaultChunksSizeV21,
	};
}

function parseJson(text: string, folder: string): unknown {
	try {
		return JSON.parse(text);
	} catch (error) {
		throw new DatasetError(
			`meta/info.json of ${folder} is not JSON (${(error as Error).message}). Restore it from the recording or the hub.`,
		);
	}
}

function formatOf(version: string, folder: string): DatasetFormat {
	if (/^v?3\./.test(version)) return 'v3.0';
	if (/^v?2\.[01]\b/.test(version)) return 'v2.1';
	throw new DatasetError(
		`${folder} is a LeRobot ${version} dataset; lakescope reads v3.0, v2.1 and v2.0. Convert it with the scripts that LeRobot brings (lerobot.datasets.v21, lerobot.datasets.v30).`,
	);
}
