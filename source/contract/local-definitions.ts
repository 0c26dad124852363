import * as z from 'zod';
import type {Endpoint} from './endpoints.ts';
import {pageInfo} from './listing.ts';
import {ownExploreRequest} from './local-explore.ts';
import {ownListQuery} from './own-lists.ts';
import {dateTime, uuid} from './scalars.ts';

/**
 * Saved dataset definitions (4.5), whose shape the document leaves open, and `/local/v1/defs`, which saves and lists
 * them. Shapes of lakescope's own.
 */

const definitionLimits = {name: 255, episodes: 65_536} as const;

/**
 * `POST /local/v1/defs`: either a filter, which is asked anew whenever the definition is used, or a list of episodes,
 * which stays as it is. Names need not be unique; the id is what tells definitions apart.
 */
export const definitionRequest = z.lazy(() =>
	z
		.strictObject({
			name: z
				.string()
				.min(1)
				.max(definitionLimits.name)
				.regex(/\S/, {error: 'must not be blank'})
				// UTF-8 has no form for half a surrogate pair: it could not be given back as it came.
				.refine(text => text.isWellFormed(), {error: 'must not contain half a surrogate pair'}),
			/** An explore request's body, also with values left out. */
			filter: ownExploreRequest.optional(),
			/** In the order wanted. */
			episode_ids: z.array(uuid).min(1).max(definitionLimits.episodes).optional(),
		})
		.refine(({filter, episode_ids}) => (filter === undefined) !== (episode_ids === undefined), {
			error: 'give either a filter or episode_ids, not both',
		}),
);
export type DefinitionRequest = z.input<typeof definitionRequest>;

/** A definition in the listing. */
const definitionItem = z.looseObject({
	def_id: uuid,
	name: z.string(),
	kind: z.enum(['filter', 'episodes']),
	/** How many episodes a list names; null for a filter. */
	episode_count: z.int().nullable(),
	created_at: dateTime,
	updated_at: dateTime,
});
export type DefinitionItem = z.output<typeof definitionItem>;

/** The success answer of `GET /v1/datasets/defs/{def_id}` (4.5) as the embedded service gives it. */
export const ownDefinition = definitionItem.extend({
	/** The explore request with its defaults filled in; null for a list. */
	filter: ownExploreRequest.nullable(),
	/** Null for a filter. */
	episode_ids: z.array(uuid).nullable(),
});
export type OwnDefinition = z.output<typeof ownDefinition>;

/** `GET /local/v1/defs`. */
export const definitionListResponse = z.looseObject({items: z.array(definitionItem), page_info: pageInfo});
export type DefinitionListResponse = z.output<typeof definitionListResponse>;

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
