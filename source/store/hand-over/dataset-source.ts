import path from 'node:path';
import {artifactFigure} from '../../contract/artifact-figure.ts';
import type {LakeEpisode} from '../../contract/episode.ts';
import type {DatasetItem} from '../../contract/listing.ts';
import {lerobotHome} from '../../files/datasets-on-disk.ts';

/** Where LeRobot finds a dataset, and what it says to it. */
export type DatasetSource = {
	/** `ORG/NAME`. */
	readonly repoId: string;
	/** Its folder, where that does not follow from the name. */
	readonly root: string | undefined;
	/** The version of LeRobot's format, `v3.0`; undefined where nobody tells it. */
	readonly format?: string | undefined;
	/** How many episodes it has; undefined where nobody tells it. */
	readonly episodes?: number | undefined;
};

/** The source of a dataset that was read from a folder of this machine. */
export function sourceOfFolder(name: string, folder: string): DatasetSource {
	const below = path.relative(lerobotHome(), folder);
	const parts = below.split(path.sep);
	const isKnown = parts.length === 2 && !parts.includes('..') && !path.isAbsolute(below);
	return isKnown ? {repoId: parts.join('/'), root: undefined} : {repoId: `local/${name}`, root: folder};
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/**
 * Where LeRobot finds the dataset of an episode.
 *
 * @param item as it is listed; undefined where it is not.
 * @param isOfThisMachine folders that the service names are this machine's.
 */
export function sourceOf(
	{dataset_name}: Pick<LakeEpisode, 'dataset_name'>,
	item: DatasetItem | undefined,
	isOfThisMachine: boolean,
): DatasetSource {
	if (item === undefined) return {repoId: dataset_name, root: undefined};
	const folder = isOfThisMachine ? text(item.metadata?.folder) : undefined;
	const episodes = artifactFigure(item, 'episodes');
	return {
		...(folder === undefined ? {repoId: item.path, root: undefined} : sourceOfFolder(dataset_name, folder)),
		format: text(item.metadata?.format),
		episodes: episodes === undefined ? undefined : Number(episodes),
	};
}
