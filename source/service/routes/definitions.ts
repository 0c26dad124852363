import {endpoints} from '../../contract/endpoints.ts';
import type {DefinitionStore} from '../definitions/definition-store.ts';
import {HttpProblem} from '../http/http-problem.ts';
import {type Route, route} from '../http/route.ts';

/** Section 4.5. */
export function definitionRoutes(definitions: DefinitionStore): readonly Route[] {
	return [
		route(endpoints.definition, ({parameters}) => {
			const found = definitions.get(parameters.def_id);
			if (found) return found;
			throw new HttpProblem(404, `There is no definition ${parameters.def_id} in this lake.`);
		}),
	];
}
