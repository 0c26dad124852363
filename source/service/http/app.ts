import type {IncomingMessage, ServerResponse} from 'node:http';
import type {Activity} from '../process/activity.ts';
import type {Log} from '../process/log.ts';
import {HttpProblem} from './http-problem.ts';
import {Reply} from './reply.ts';
import type {Route} from './route.ts';
import {createRouter} from './router.ts';

/** SQLITE_FULL */
const sqliteFull = 13;

/** Whether the caller has gone in the middle of its request: there is nobody to tell, and nothing has failed. */
function isCutOff(error: unknown, incoming: IncomingMessage): boolean {
	return incoming.errored !== null && error === incoming.errored;
}

function failure(
	error: unknown,
	what: string,
	{log, isDiskFull}: Pick<AppOptions, 'log' | 'isDiskFull'>,
): Reply {
	if (error instanceof HttpProblem) return Reply.problem(error);
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
	/** Whether an error of the lake says that its disk is full; SQLite's own code is known here. */
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
