import type {StoreApi} from 'zustand/vanilla';
import type {Client} from '../../client/client.ts';
import type {ModelItem} from '../../contract/listing.ts';
import type {Listing} from '../listing/listing-feed.ts';
import {openReader} from '../listing/open-reader.ts';
import type {LocalKnowledge} from '../local-watch.ts';

/** The listing of models (4.9): the document shows no search, and neither the values of `sort` nor a cursor. */
export function modelListing(
	client: Pick<Client, 'listModels'>,
	local: StoreApi<LocalKnowledge>,
): Listing<ModelItem> {
	const reader = openReader<ModelItem>((query, options) => client.listModels(query, options), {
		local,
		takesLimit: true,
	});
	return {
		list: 'models',
		nameOf: ({artifact_id, path}) => ({key: artifact_id, label: path}),
		searches: false,
		...reader,
		find: (id, signal) => reader.find(({artifact_id}) => artifact_id === id, signal),
	};
}
