import {type EndpointName, endpoints} from '../../contract/endpoints.ts';
import {HttpProblem} from '../http/http-problem.ts';
import {type Route, route} from '../http/route.ts';

/** What each endpoint is for, for the sentence of its refusal. */
const missing = {
	definition: 'Saved dataset definitions',
} as const satisfies Partial<Record<EndpointName, string>>;

/**
 * The endpoints that this version of the embedded service does not implement: a request is checked as the document
 * says, and then told so. Nothing is made up.
 */
export const notInThisVersion: readonly Route[] = Object.entries(missing).map(([name, what]) =>
	route(endpoints[name as keyof typeof missing], () => {
		throw new HttpProblem(
			501,
			`${what} is not in this version of the embedded service. Point lakescope at a hosted service with --url for it.`,
		);
	}),
);
