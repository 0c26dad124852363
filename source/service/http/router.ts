import {HttpProblem} from './http-problem.ts';
import type {Route} from './route.ts';

type Parameters = Readonly<Record<string, string>>;

/** The route that answers a request, and what its path says where the route's has braces. */
type Found = {readonly route: Route; readonly parameters: Parameters};

/** One path with the routes of its methods. */
type Place = {
	readonly path: string;
	readonly segments: readonly string[];
	readonly routes: readonly Route[];
};

/** A segment that is no encoding of anything is taken as it is. */
function decoded(segment: string): string {
	try {
		return decodeURIComponent(segment);
	} catch {
		return segment;
	}
}

function match(wanted: readonly string[], given: readonly string[]): Parameters | undefined {
	if (wanted.length !== given.length) return undefined;
	const parameters: Record<string, string> = {};
	for (const [i, segment] of wanted.entries()) {
		const value = given[i] ?? '';
		if (!segment.startsWith('{')) {
			if (segment !== value) return undefined;
		} else if (value === '') return undefined;
		else parameters[segment.slice(1, -1)] = value;
	}
	return parameters;
}

/**
 * Finds the route for a method and a path without its query; of several that fit, the first. A GET answers HEAD too.
 *
 * @throws {HttpProblem} 404 where no route has the path, 405 where those that have it take other methods
 */
export function createRouter(routes: readonly Route[]): (method: string, path: string) => Found {
	const places = [...Map.groupBy(routes, ({path}) => path)].map(
		([path, routes]): Place => ({path, segments: path.split('/'), routes}),
	);
	return (method, path) => {
		const given = path.split('/').map(decoded);
		let elsewhere: Place | undefined;
		for (const place of places) {
			const parameters = match(place.segments, given);
			if (!parameters) continue;
			const route = place.routes.find(each => each.method === (method === 'HEAD' ? 'GET' : method));
			if (route) return {route, parameters};
			elsewhere ??= place;
		}
		if (!elsewhere) throw new HttpProblem(404, `There is nothing at ${path}.`);
		const allow = elsewhere.routes.map(each => each.method);
		throw new HttpProblem(405, `${elsewhere.path} takes ${allow.join(' or ')}, not ${method}.`, {
			allow: allow.join(', '),
		});
	};
}
