import type {ProjectItem} from '../../contract/listing.ts';

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/** The id of a project, whose fields the document leaves open. */
export function projectId(item: ProjectItem): string | undefined {
	return text(item.project_id) ?? text(item.id);
}

/** What a project is called. */
export function projectName(item: ProjectItem): string | undefined {
	return text(item.name) ?? text(item.project_name) ?? text(item.title);
}
