import type {HostedService} from '../hosted-service/server.ts';

const id = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/**
 * Lets the hosted stand-in answer below `/local/v1` too, as an embedded service once did.
 *
 * @param answers by path, in which `*` stands for an id; each is a body, or makes one of the path and query asked for.
 */
export function recordLocal(service: HostedService, answers: Readonly<Record<string, unknown>>): void {
	service.setFault('*', async ({request, settle, send}) => {
		const answer = answers[request.path.replace(id, '*')];
		if (answer === undefined) send(await settle());
		else send({status: 200, json: typeof answer === 'function' ? answer(request) : answer});
	});
}

/** The document by which a service says that it is an embedded one. */
export const localDocument = (abilities: readonly string[]) => ({
	service: 'lakescope',
	version: '0.1.0',
	lake: {folder: '/lake', sample: false, read_only: null, datasets: 1, episodes: 40},
	abilities,
});
