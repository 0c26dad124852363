import {createServer, request} from 'node:http';
import {onTestFinished} from 'vitest';
import {listenOnOwnPort} from './own-port.ts';

export type CountedRequest = {readonly method: string; readonly path: string; readonly body: string};

/**
 * Passes requests on to a service of this machine and notes each of them; ends with the test.
 *
 * @param fails which requests are answered with 500 instead
 */
export async function startCountingProxy(
	target: string,
	fails: (request: CountedRequest) => boolean = () => false,
): Promise<{readonly url: string; readonly requests: readonly CountedRequest[]}> {
	const requests: CountedRequest[] = [];
	const {hostname, port, host} = new URL(target);
	const server = createServer(async (incoming, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of incoming) chunks.push(chunk as Buffer);
		const {method = 'GET', url: path = '/', headers} = incoming;
		const body = Buffer.concat(chunks);
		const counted = {method, path, body: body.toString()};
		requests.push(counted);
		if (fails(counted)) {
			response.writeHead(500, {'content-type': 'application/json'});
			return response.end(JSON.stringify({detail: 'The disk is being changed.'}));
		}
		const passed = request({hostname, port, method, path, headers: {...headers, host}}, answer => {
			response.writeHead(answer.statusCode ?? 502, answer.headers);
			response.flushHeaders();
			answer.pipe(response);
			answer.on('error', () => response.destroy());
		});
		passed.on('error', () => response.destroy());
		response.on('close', () => passed.destroy());
		passed.end(body);
	});
	const own = await listenOnOwnPort(server);
	onTestFinished(() => {
		server.close();
		server.closeAllConnections();
	});
	return {url: `http://127.0.0.1:${own}`, requests};
}
