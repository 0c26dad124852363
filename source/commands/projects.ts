import {firstItems} from '../client/first-items.ts';
import type {ProjectItem, ProjectListResponse} from '../contract/listing.ts';
import type {CommandLine} from './flags.ts';
import {type Field, listingCommand} from './listing-command.ts';
import {furtherLine} from './print/table.ts';

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/** The document shows no field of a project: these names are the usual ones. */
const known = ['project_id', 'id', 'name', 'title'];

const fields: readonly Field<ProjectItem>[] = [
	{title: 'name', least: 8, of: ({name, title}) => textOf(name) ?? textOf(title)},
	{title: 'project', of: ({project_id, id}) => textOf(project_id) ?? textOf(id)},
	{title: 'further', least: 8, of: item => furtherLine(item, known)},
];

/** `lakescope projects [--json] [--limit N]` */
export function projects(line: CommandLine): Promise<number> {
	return listingCommand<ProjectItem, ProjectListResponse>(line, {
		name: 'projects',
		// No parameter of this listing is shown, so that none is sent unless its own paging asks for it.
		get: ({client}, wanted) =>
			firstItems(wanted, ({cursor}) => client.listProjects(cursor === undefined ? {} : {cursor})),
		fields: async () => fields,
	});
}
