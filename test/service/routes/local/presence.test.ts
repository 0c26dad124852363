import {get} from 'node:http';
import {expect, test} from 'vitest';
import {version} from '../../../../source/service/host/version.ts';
import {type Address, call} from '../../support/call.ts';
import {serviceHome} from '../../support/service-home.ts';

const home = serviceHome();

/** The first line of a presence, which stays open until it is left. */
function presence({url, key}: Address): Promise<{line: string; leave: () => void}> {
	return new Promise((resolve, reject) => {
		const asked = get(`${url}/local/v1/presence`, {headers: {'x-api-key': key}, agent: false}, response => {
			response.setEncoding('utf8').once('data', (line: string) => {
				resolve({line, leave: () => asked.destroy()});
			});
			response.on('error', () => undefined);
		});
		asked.on('error', reject);
	});
}

test('a presence names the service and counts as a client, whom a retire is refused for', async () => {
	const lake = home.lake();
	const service = await home.join(lake);
	const {line, leave} = await presence(service);
	expect(JSON.parse(line)).toEqual({service: 'lakescope', version, pid: service.pid, lake, sample: false});
	const retire = async () => {
		const {status, json} = await call(service, '/local/v1/retire', {method: 'POST'});
		return [status, json<{detail?: string}>().detail];
	};
	expect(await retire()).toEqual([409, 'it has 2 clients']);
	leave();
	await expect.poll(retire, {timeout: 20_000}).toEqual([409, 'it has 1 client']);
	service.leave();
	await service.lost;
});
