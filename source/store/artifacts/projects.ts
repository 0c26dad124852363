import type {Client} from '../../client/client.ts';
import {fieldProblems, OutcomeUnknownError, RefusedError} from '../../client/errors.ts';
import type {FieldProblem} from '../../contract/errors.ts';
import type {ProjectItem} from '../../contract/listing.ts';
import {findByPaging, pageOf} from '../queries/open-page.ts';

type ProjectClient = Pick<Client, 'createProject' | 'listProjects'>;

/** The outcome of a request for a project. */
type ProjectOutcome =
	| {readonly kind: 'there'; readonly id: string; readonly isNew: boolean}
	/** The answer was lost, and the service lists no project of this name: it is probably not there. */
	| {readonly kind: 'unknown'; readonly reason: string};

/** The body of a request for a project. The document leaves its fields open: those besides the name are sent unchanged. */
export function projectRequestOf(
	name: string,
	further: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
	return {...further, name};
}

/**
 * Creates a project, once. If the answer is lost, the service's list settles the outcome; nothing is sent again.
 *
 * @throws the service's refusal.
 */
export async function createProject(
	client: ProjectClient,
	request: Readonly<Record<string, unknown>>,
): Promise<ProjectOutcome> {
	try {
		const {data} = await client.createProject({...request});
		return {kind: 'there', id: data.project_id, isNew: data.created};
	} catch (error) {
		if (!(error instanceof OutcomeUnknownError)) throw error;
		const found = await findByPaging(
			async cursor => pageOf(await client.listProjects(cursor === undefined ? {} : {cursor})),
			item => projectName(item) === request.name,
		);
		const id = found && projectId(found);
		return id === undefined ? {kind: 'unknown', reason: error.message} : {kind: 'there', id, isNew: true};
	}
}

/** The problems of a refused request, each at its field; an empty field where none is named, or the key was refused. */
export function projectProblems(error: unknown): readonly FieldProblem[] {
	const named = error instanceof RefusedError ? [] : fieldProblems(error);
	if (named.length > 0) return named;
	return [{field: '', message: error instanceof Error ? error.message : String(error)}];
}

/** Reads the fields besides the name: a JSON object, or nothing. */
export function readFurther(
	text: string,
):
	| {readonly ok: true; readonly further: Record<string, unknown>}
	| {readonly ok: false; readonly reason: string} {
	if (text.trim() === '') return {ok: true, further: {}};
	try {
		const value: unknown = JSON.parse(text);
		if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
			return {ok: true, further: value as Record<string, unknown>};
		}
		return {ok: false, reason: 'Not a JSON object: write {"description": "…"}, or leave it empty.'};
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		return {ok: false, reason: `Not JSON: ${reason}`};
	}
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/** The id of a project, whose fields the document leaves open. */
export function projectId(item: ProjectItem): string | undefined {
	return text(item.project_id) ?? text(item.id);
}

/** The name of a project, whose fields the document leaves open. */
export function projectName(item: ProjectItem): string | undefined {
	return text(item.name) ?? text(item.project_name) ?? text(item.title);
}
