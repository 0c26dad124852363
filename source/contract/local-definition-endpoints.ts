import {definitionListResponse, definitionRequest, ownDefinition} from './definition-shape.ts';
import type {Endpoint} from './endpoints.ts';
import {ownListQuery} from './own-lists.ts';

const own = 'ARCHITECTURE.md';
const path = '/local/v1/defs';

/** Saving and listing dataset definitions, which the interface document leaves out. */
export const localDefinitionEndpoints = {
	saveDefinition: {
		section: own,
		method: 'POST',
		path,
		key: 'required',
		repeatable: false,
		body: definitionRequest,
		response: ownDefinition,
	},
	listDefinitions: {
		section: own,
		method: 'GET',
		path,
		key: 'required',
		repeatable: true,
		query: ownListQuery,
		response: definitionListResponse,
	},
} as const satisfies Record<string, Endpoint>;
