import type {StoreApi} from 'zustand/vanilla';
import type {Client} from '../../client/client.ts';
import {exactJson} from '../../contract/exact-json.ts';
import type {ProjectItem} from '../../contract/listing.ts';
import type {Listing} from '../listing/listing-feed.ts';
import {openReader} from '../listing/open-reader.ts';
import type {LocalKnowledge} from '../local-watch.ts';
import {projectId, projectName} from './project-item.ts';

/** The listing of projects (4.11): the document shows neither its parameters nor the fields of an item. */
export function projectListing(
	client: Pick<Client, 'listProjects'>,
	local: StoreApi<LocalKnowledge>,
): Listing<ProjectItem> {
	const reader = openReader<ProjectItem>((query, options) => client.listProjects(query, options), {
		local,
		takesLimit: false,
	});
	return {
		list: 'projects',
		// One without an id that can be read is still told from the others.
		nameOf: item => ({
			key: projectId(item) ?? exactJson(item),
			label: projectName(item) ?? projectId(item) ?? '',
		}),
		searches: false,
		...reader,
		find: (id, signal) => reader.find(item => projectId(item) === id, signal),
	};
}
