import {type Context, Hono} from 'hono';
import {LakeError} from '../lake/lake-error.ts';
import type {Activity} from '../process/activity.ts';
import type {Log} from '../process/log.ts';
import {HttpProblem} from './http-problem.ts';
import {jsonResponse, type Route} from './route.ts';

/** Answers a refusal in the shape of section 7. */
function problemResponse(problem: HttpProblem): Response {
	return jsonResponse(problem.status, {detail: problem.detail}, {...problem.headers});
}

/** `/v1/jobs/{job_id}` → `/v1/jobs/:job_id`. */
const honoPath = (path: string) => path.replace(/\{(\w+)\}/g, ':$1');

/** SQLite's and the lake's way of saying it. */
function isDiskFull(error: unknown): boolean {
	const sqliteFull = 13;
	return (
		(error instanceof LakeError && error.reason === 'full') ||
		(error as {errcode?: unknown} | null)?.errcode === sqliteFull
	);
}

function failure(error: unknown, c: Context, log: Log): Response {
	if (error instanceof HttpProblem) return problemResponse(error);
	if (isDiskFull(error)) {
		const detail =
			'The disk that holds the lake is full: nothing was changed. Free some of it and try again.';
		return problemResponse(new HttpProblem(507, detail));
	}
	log(
		`${c.req.method} ${c.req.path}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
	);
	const reason = error instanceof Error ? error.message : String(error);
	return jsonResponse(500, {detail: `The embedded service failed on this request: ${reason}`});
}

/** The service's routes as one request handler. Who may call was decided before. */
export function createApp({
	routes,
	activity,
	log,
}: {
	routes: readonly Route[];
	activity: Activity;
	log: Log;
}): Hono {
	const app = new Hono();
	app.use(async (_, next) => {
		const end = activity.begin('request');
		try {
			await next();
		} finally {
			end();
		}
	});
	for (const {method, path, answer} of routes) app.on(method, honoPath(path), answer);
	for (const path of new Set(routes.map(each => each.path))) {
		const allow = routes.filter(each => each.path === path).map(each => each.method);
		app.all(honoPath(path), c => {
			const detail = `${path} takes ${allow.join(' or ')}, not ${c.req.method}.`;
			return problemResponse(new HttpProblem(405, detail, {allow: allow.join(', ')}));
		});
	}
	app.notFound(c => problemResponse(new HttpProblem(404, `There is nothing at ${c.req.path}.`)));
	app.onError((error, c) => failure(error, c, log));
	return app;
}
