import {localDefinitionEndpoints} from '../../../contract/local-definition-endpoints.ts';
import type {DefinitionStore} from '../../definitions/definition-store.ts';
import {type Route, route} from '../../http/route.ts';

/** `/local/v1/defs`: saving and listing dataset definitions. */
export function localDefinitionRoutes(definitions: DefinitionStore): readonly Route[] {
	return [
		route(localDefinitionEndpoints.saveDefinition, ({body}) => definitions.save(body), 201),
		route(localDefinitionEndpoints.listDefinitions, ({query}) => definitions.list(query)),
	];
}
