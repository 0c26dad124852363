import {firstItems} from '../client/first-items.ts';
import type {ModelItem, ModelListResponse} from '../contract/listing.ts';
import type {CommandLine} from './flags.ts';
import {type Field, listingCommand} from './listing-command.ts';
import {furtherLine} from './print/table.ts';

const known = ['artifact_id', 'subtype', 'path', 'metadata', 'jobs', 'created_at', 'updated_at'];

const fields: readonly Field<ModelItem>[] = [
	{title: 'path', least: 12, of: ({path}) => path},
	{title: 'kind', least: 6, of: ({subtype}) => subtype},
	{title: 'updated', of: ({updated_at}) => updated_at.slice(0, 16).replace('T', ' ')},
	{title: 'job', least: 8, of: ({jobs}) => jobs?.find(({direction}) => direction === 'output')?.job_id},
	{title: 'id', least: 8, of: ({artifact_id}) => artifact_id},
	{title: 'further', least: 8, of: item => furtherLine({...item.metadata, ...item}, known)},
];

/** `lakescope models [--json] [--limit N]` */
export function models(line: CommandLine): Promise<number> {
	return listingCommand<ModelItem, ModelListResponse>(line, {
		name: 'models',
		get: ({client}, wanted) => firstItems(wanted, query => client.listModels(query)),
		fields: async () => fields,
	});
}
