import {endpoints} from '../../contract/endpoints.ts';
import {ownListQuery} from '../../contract/own-lists.ts';
import {ownProjectRequest} from '../../contract/project-shape.ts';
import {type Route, route} from '../http/route.ts';
import type {Jobs} from '../jobs/jobs.ts';

/** Sections 4.11 and 4.12. */
export function projectRoutes({projects}: Pick<Jobs, 'projects'>): readonly Route[] {
	return [
		route({...endpoints.listProjects, query: ownListQuery}, ({query}) => projects.list(query)),
		route({...endpoints.createProject, body: ownProjectRequest}, ({body}) =>
			projects.create(body.name, body.description),
		),
	];
}
