import {expect, test} from 'vitest';
import {json} from '../client/wire-server.ts';
import {openStream, serving} from './support/event-server.ts';
import {follow} from './support/following.ts';

const key = 'secret-key-0123456789';

test.each([301, 302, 303, 307, 308])(
	'a stream redirected by %i is not followed: the key stays here',
	async status => {
		const elsewhere = await serving(response => openStream(response));
		const service = await serving((response, {url}) => {
			response.writeHead(status, {location: `${elsewhere.url}${url}`}).end();
		});
		const following = follow(service.url, {key, hasty: false});
		await expect.poll(() => following.pauses.length).toBe(1);
		expect(service.heard[0]?.headers['x-api-key']).toBe(key);
		expect(elsewhere.heard).toEqual([]);
		expect(following.reason).toContain(`a redirect (${status}) to ${elsewhere.url}`);
		expect(following.states.at(-1)?.phase).toBe('stopped');
	},
);

test('a key that a service echoes is shown nowhere', async () => {
	const echoing = await serving((response, {headers}) => {
		const echo = String(headers['x-api-key']);
		openStream(response);
		response.write(`event: ${echo}\nid: ${echo}\ndata: {"job_id": "${echo}", "status": "${echo}"}\n\n`);
	});
	const following = follow(echoing.url, {key});
	await expect.poll(() => following.events.length).toBe(1);
	expect(JSON.stringify(following.events)).not.toContain(key);
	expect(following.events[0]).toMatchObject({name: '[the key]', hint: {status: '[the key]'}});
	for (const status of [401, 429, 500]) {
		const refusing = await serving((response, heard, nth) =>
			json({detail: `The key ${heard.headers['x-api-key']} is wrong`}, {status})(response, heard, nth),
		);
		const refused = follow(refusing.url, {key, hasty: false});
		await expect.poll(() => refused.reason).toContain('The key [the key] is wrong');
		expect(refused.reason).not.toContain(key);
	}
});
