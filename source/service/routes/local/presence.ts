import type {PresenceDocument} from '../../../contract/local.ts';
import type {Activity} from '../../host/activity.ts';
import {version} from '../../host/version.ts';
import {HttpProblem} from '../../http/http-problem.ts';
import {Reply} from '../../http/reply.ts';
import {type Route, route} from '../../http/route.ts';

/** How often a held connection is written to, so that nothing between takes it for dead. */
const beatMs = 20_000;

/** A response that begins with one line and ends with the service; while it is open, its client counts. */
function heldOpen(line: string, activity: Activity, ending: AbortSignal): Reply {
	return new Reply(200, {'content-type': 'application/x-ndjson'}, outgoing => {
		const leave = activity.begin('client');
		const beat = setInterval(() => outgoing.write('\n'), beatMs);
		const close = () => {
			clearInterval(beat);
			outgoing.end();
		};
		ending.addEventListener('abort', close, {once: true});
		outgoing.once('close', () => {
			clearInterval(beat);
			ending.removeEventListener('abort', close);
			leave();
		});
		outgoing.write(`${line}\n`);
	});
}

/**
 * `GET /local/v1/presence` is held open by a client for as long as it wants the service to stay, and closed by the
 * kernel when the client dies. `POST /local/v1/retire` asks the service to end now, for another to take its place;
 * it does so while it has no client and nothing to do.
 */
export function presenceRoutes({
	activity,
	folder,
	sample,
	retire,
	ending,
}: {
	activity: Activity;
	folder: string;
	sample: boolean;
	/** Undefined for a service that a person started to stay. */
	retire: (() => void) | undefined;
	/** Aborted when the service ends. */
	ending: AbortSignal;
}): readonly Route[] {
	return [
		route({method: 'GET', path: '/local/v1/presence'}, () => {
			if (ending.aborted)
				throw new HttpProblem(503, 'This service is ending; the next one is joined instead.');
			const document: PresenceDocument = {
				service: 'lakescope',
				version,
				pid: process.pid,
				lake: folder,
				sample,
			};
			return heldOpen(JSON.stringify(document), activity, ending);
		}),
		route(
			{method: 'POST', path: '/local/v1/retire'},
			() => {
				const clients = activity.count('client');
				const operations = activity.count('operation');
				if (!retire)
					throw new HttpProblem(409, 'it was started with "lakescope serve" and stays until it is ended');
				if (clients > 0)
					throw new HttpProblem(409, `it has ${clients} ${clients === 1 ? 'client' : 'clients'}`);
				if (operations > 0) throw new HttpProblem(409, 'it is ingesting datasets, or a job runs');
				retire();
				return {};
			},
			202,
		),
	];
}
