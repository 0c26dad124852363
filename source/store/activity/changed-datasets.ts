import type {Client} from '../../client/client.ts';
import {datasetListLimits, exploreLimits} from '../../contract/limits.ts';

/** Pages of the list that are gone through: it is not in the order of what changed. */
const mostPages = 10;

/**
 * The datasets that came or changed after a moment, in milliseconds since 1970.
 *
 * @returns their ids, as many as a request can name; `isWhole` where no further ones can have changed
 */
export async function changedDatasets(
	client: Pick<Client, 'listDatasets'>,
	since: number,
	signal: AbortSignal,
): Promise<{readonly ids: readonly string[]; readonly isWhole: boolean}> {
	const ids: string[] = [];
	let cursor: string | undefined;
	for (let page = 0; page < mostPages; page++) {
		const {data} = await client.listDatasets(
			{limit: datasetListLimits.page.max, ...(cursor === undefined ? {} : {cursor})},
			{signal},
		);
		const changed = data.items.filter(({updated_at}) => Date.parse(updated_at) > since);
		ids.push(...changed.map(({artifact_id}) => artifact_id));
		cursor = data.page_info.has_next ? (data.page_info.end_cursor ?? undefined) : undefined;
		if (cursor === undefined) return {ids: ids.slice(0, exploreLimits.datasetIds), isWhole: true};
	}
	return {ids: ids.slice(0, exploreLimits.datasetIds), isWhole: false};
}
