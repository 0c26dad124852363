import type {Explorer} from '../../store/explorer.ts';
import {goToEpisodes} from '../../store/links/go-to.ts';
import {changedDatasets} from '../../store/lookout/changed-datasets.ts';
import {age} from '../../terminal/quantity.ts';

/** Shows the episodes of the datasets that came or changed since somebody last looked, before this run. */
export async function goToNew(explorer: Explorer): Promise<void> {
	const {since} = explorer.lookout;
	if (since === undefined) {
		explorer.notify('info', 'Nobody has looked at this lake from here before: all of it is new.');
		return;
	}
	const when = `since you last looked, ${age(Date.now() - since)} ago`;
	try {
		const {ids, isWhole} = await changedDatasets(explorer.client, since, explorer.signal);
		if (ids.length > 0) goToEpisodes(explorer, {datasets: ids});
		const more = isWhole ? '' : ' More datasets were not looked through.';
		const what =
			ids.length === 0 ? 'No dataset' : ids.length === 1 ? 'One dataset' : `${ids.length} datasets`;
		explorer.notify('info', `${what} came or changed ${when}.${more}`);
	} catch (error) {
		if (explorer.signal.aborted) return;
		explorer.notify('error', error instanceof Error ? error.message : String(error));
	}
}
