import {beforeAll, expect, test} from 'vitest';
import type {JoinedService} from '../../../../source/service/front-door.ts';
import {serviceHome} from '../../support/service-home.ts';
import {prepare, put, sha256} from '../../support/uploading.ts';

const home = serviceHome();
const content = Buffer.from('a piece of a dataset');
let service: JoinedService;
let url: string;

beforeAll(async () => {
	service = await home.join(home.lake());
	url = (await prepare(service, [content]))[0]?.url ?? '';
});

test('another content than the announced is refused, and the right one is stored after it', async () => {
	const other = Buffer.from('a piece of a_dataset');
	const refused = await put(url, other);
	expect([refused.status, refused.text]).toEqual([422, expect.stringContaining(sha256(other))]);
	const stored = await put(url, content);
	expect([stored.status, JSON.parse(stored.text)]).toEqual([
		201,
		{blob_id: sha256(content), content_length: content.byteLength},
	]);
	expect((await put(url, content)).status).toBe(200);
});

test('a signature is for one blob: another blob’s address, or a changed signature, is refused', async () => {
	const other = Buffer.from('another blob');
	expect((await put(url.replace(sha256(content), sha256(other)), other)).status).toBe(403);
	expect((await put(`${url}0`, content)).status).toBe(403);
});
