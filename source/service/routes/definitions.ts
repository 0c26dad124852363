import {endpoints} from '../../contract/endpoints.ts';
import {localDefinitionEndpoints} from '../../contract/local-definitions.ts';
import {HttpProblem} from '../http/http-problem.ts';
import {type Route, route} from '../http/route.ts';
import type {DefinitionStore} from '../operations/definition-store.ts';

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

/** `/local/v1/defs`: saving and listing dataset definitions. */
export function localDefinitionRoutes(definitions: DefinitionStore): readonly Route[] {
	return [
		route(localDefinitionEndpoints.saveDefinition, ({body}) => definitions.save(body), 201),
		route(localDefinitionEndpoints.listDefinitions, ({query}) => definitions.list(query)),
	];
}
