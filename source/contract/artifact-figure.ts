import type {DatasetItem} from './listing.ts';

/**
 * A figure of a dataset's metadata, whose names the interface leaves open: the embedded service's, or LeRobot's own.
 * Undefined where neither is there.
 */
export function artifactFigure(
	{metadata}: Pick<DatasetItem, 'metadata'>,
	what: 'episodes' | 'frames',
): number | bigint | undefined {
	const value = metadata?.[what] ?? metadata?.[`total_${what}`];
	return typeof value === 'number' || typeof value === 'bigint' ? value : undefined;
}
