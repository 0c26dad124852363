import {TrieRouter} from 'hono/router/trie-router';
import {HttpProblem} from './http-problem.ts';
import type {Route} from './route.ts';

type Parameters = Readonly<Record<string, string>>;

/** The route that answers a request, and what its path says where the route's has braces. */
type Found = {readonly route: Route; readonly parameters: Parameters};

/** `/v1/jobs/{job_id}` → `/v1/jobs/:job_id`. */
const honoPath = (path: string) => path.replace(/\{(\w+)\}/g, ':$1');

/** What is no encoding of anything is taken as it is. */
function decoded(text: string, decode: (text: string) => string): string {
	try {
		return decode(text);
	} catch {
		return text;
	}
}

/** A path with its letters as they are: what stands for a slash or a percent sign stays encoded, to be decoded with its segment. */
const plainPath = (path: string) => decoded(path, text => decodeURI(text.replaceAll('%25', '%2525')));

/**
 * Finds the route for a method and a path without its query; of several that fit, the first. A GET answers HEAD too.
 * Hono's router without hono: what that is built on, `Request` and `Response`, has Node load a whole undici, which took a
 * tenth of the service's start.
 *
 * @throws {HttpProblem} 404 where no route has the path, 405 where those that have it take other methods
 */
export function createRouter(routes: readonly Route[]): (method: string, path: string) => Found {
	const router = new TrieRouter<Route>();
	for (const route of routes) router.add(route.method, honoPath(route.path), route);
	const find = (method: string, path: string): Found | undefined => {
		const [[found]] = router.match(method, plainPath(path)) as [[Route, Parameters][]];
		if (found === undefined) return undefined;
		const [route, given] = found;
		const parameters = Object.fromEntries(
			Object.entries(given).map(([name, text]) => [name, decoded(text, decodeURIComponent)]),
		);
		return {route, parameters};
	};
	return (method, path) => {
		const found = find(method === 'HEAD' ? 'GET' : method, path);
		if (found !== undefined) return found;
		const others = [...new Set(routes.map(route => route.method))].flatMap(other => find(other, path) ?? []);
		const [elsewhere] = others;
		if (elsewhere === undefined) throw new HttpProblem(404, `There is nothing at ${path}.`);
		const allow = others.map(({route}) => route.method);
		throw new HttpProblem(405, `${elsewhere.route.path} takes ${allow.join(' or ')}, not ${method}.`, {
			allow: allow.join(', '),
		});
	};
}
