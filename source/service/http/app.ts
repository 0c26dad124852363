import type {IncomingMessage, ServerResponse} from 'node:http';
import {TrieRouter} from 'hono/router/trie-router';
import type {Activity} from '../host/activity.ts';
import type {Log} from '../host/log.ts';
import {Refusal} from '../host/refusal.ts';
import {HttpProblem, problemOf} from './http-problem.ts';
import {Reply} from './reply.ts';
import type {Route} from './route.ts';

/** SQLITE_FULL */
const sqliteFull = 13;

/** True if the caller disconnected during its request: there is no one to answer, and the service has not failed. */
function isCutOff(error: unknown, incoming: IncomingMessage): boolean {
	return incoming.errored !== null && error === incoming.errored;
}

function failure(
	error: unknown,
	what: string,
	{log, isDiskFull}: Pick<AppOptions, 'log' | 'isDiskFull'>,
): Reply {
	if (error instanceof HttpProblem) return Reply.problem(error);
	if (error instanceof Refusal) return Reply.problem(problemOf(error));
	if (isDiskFull(error) || (error as {errcode?: unknown} | null)?.errcode === sqliteFull) {
		const detail =
			'The disk that holds the lake is full: nothing was changed. Free some of it and try again.';
		return Reply.problem(new HttpProblem(507, detail));
	}
	log(`${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
	const reason = error instanceof Error ? error.message : String(error);
	return Reply.json(500, {detail: `The embedded service failed on this request: ${reason}`});
}

type AppOptions = {
	readonly routes: readonly Route[];
	readonly activity: Activity;
	readonly log: Log;
	/** True for an error of the lake that means a full disk; SQLite's own code is known here. */
	readonly isDiskFull: (error: unknown) => boolean;
};

/** The service's routes as one request handler. Who may call was decided before. */
export function createApp({
	routes,
	activity,
	log,
	isDiskFull,
}: AppOptions): (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void> {
	const find = createRouter(routes);
	return async (incoming, outgoing) => {
		const {method = 'GET', url = '/'} = incoming;
		const [path = '', ...rest] = url.split('?');
		const end = activity.begin('request');
		let reply: Reply;
		try {
			const {route, parameters} = find(method, path);
			const query = new URLSearchParams(rest.join('?'));
			reply = await route.answer({incoming, parameters, query});
		} catch (error) {
			if (isCutOff(error, incoming)) return;
			reply = failure(error, `${method} ${path}`, {log, isDiskFull});
		} finally {
			end();
		}
		// A request that was ended meanwhile, as it took too long, has its answer.
		if (!incoming.socket.writable || outgoing.headersSent) return;
		try {
			reply.send(outgoing);
		} catch (error) {
			log(`${method} ${path}: its answer cannot be sent: ${error}`);
			outgoing.destroy();
		}
	};
}

type Parameters = Readonly<Record<string, string>>;

/** The route that answers a request, and what its path says where the route's has braces. */
type Found = {readonly route: Route; readonly parameters: Parameters};

/** `/v1/jobs/{job_id}` → `/v1/jobs/:job_id`. */
const honoPath = (path: string) => path.replace(/\{(\w+)\}/g, ':$1');

/** Text that cannot be decoded stays as it is. */
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
