import path from 'node:path';
import * as z from 'zod';
import {DatasetError} from './dataset-error.ts';
import {defaultDataPath} from './layout.ts';

const count = z.int().nonnegative();

/** A feature as `info.json` declares it. Encoder details (`info`) and other keys are ignored. */
const feature = z.looseObject({
	dtype: z.string().min(1),
	shape: z.array(count).default([]),
	names: z.unknown(),
});
export type Feature = z.output<typeof feature>;

/** `meta/info.json` of v3.0, as far as it is read. Unknown keys occur and are ignored. */
const info = z.looseObject({
	codebase_version: z.string(),
	fps: z.number().positive(),
	features: z.record(z.string(), feature),
	total_episodes: count.nullish(),
	total_frames: count.nullish(),
	robot_type: z.string().nullish(),
	data_path: z.string().min(1).default(defaultDataPath),
	/** Null or absent where the dataset has no video. */
	video_path: z.string().min(1).nullish(),
});
export type DatasetInfo = z.output<typeof info>;

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
	refuseOtherVersions(version.data.codebase_version, folder);
	const parsed = info.safeParse(json);
	if (parsed.success) return parsed.data;
	const issue = parsed.error.issues[0];
	throw new DatasetError(
		`meta/info.json of ${folder} breaks the LeRobot v3.0 format at ${issue?.path.join('.') || 'its root'}: ${issue?.message}.`,
	);
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

function refuseOtherVersions(version: string, folder: string): void {
	if (/^v?3\./.test(version)) return;
	if (/^v?2\.1\b/.test(version)) {
		throw new DatasetError(
			`${folder} is a LeRobot v2.1 dataset, which lakescope does not read yet. Convert it first: python -m lerobot.datasets.v30.convert_dataset_v21_to_v30 --repo-id=${repoId(folder)}`,
		);
	}
	throw new DatasetError(
		`${folder} is a LeRobot ${version} dataset; lakescope reads v3.0. Convert it with the scripts that LeRobot brings (lerobot.datasets.v21, lerobot.datasets.v30).`,
	);
}

/** `ORG/NAME` as LeRobot lays datasets out on a machine: the last two folders of the path. */
function repoId(folder: string): string {
	return path.resolve(folder).split(path.sep).filter(Boolean).slice(-2).join('/') || 'ORG/NAME';
}
