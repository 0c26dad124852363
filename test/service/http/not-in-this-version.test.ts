import {beforeAll, expect, test} from 'vitest';
import type {JoinedService} from '../../../source/service/front-door.ts';
import {type Call, call} from '../support/call.ts';
import {serviceHome} from '../support/service-home.ts';

const home = serviceHome();
let service: JoinedService;

beforeAll(async () => {
	service = await home.join(home.lake());
});

const id = '0b7d1c60-3a4e-4f6b-9c1d-2e8f5a7b9c0d';

/** A well-formed request of each endpoint that this version has not. */
const calls: ReadonlyArray<[string, Call]> = [
	[`/v1/datasets/defs/${id}`, {}],
];

test.each(calls)('%s says that it is not there yet, and makes nothing up', async (path, request) => {
	const answer = await call(service, path, request);
	expect(answer.status).toBe(501);
	expect(answer.json()).toEqual({
		detail: expect.stringContaining('not in this version of the embedded service'),
	});
});
