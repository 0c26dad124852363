import {expect, test} from 'vitest';
import {addressProblem, isPlainHeader, readTargets} from '../../source/upload/destination.ts';

const [a, b] = ['a'.repeat(64), 'b'.repeat(64)];
const asked = [a, b];
const at = (id: string) => `https://store.example/${id.slice(0, 4)}?signature=x`;
const plain = (id: string) => ({
	blobId: id,
	stored: undefined,
	url: at(id),
	headers: {},
	expiresAt: undefined,
});

const readable: [string, unknown][] = [
	['the embedded service’s', {targets: asked.map(id => ({blob_id: id, method: 'PUT', url: at(id)}))}],
	['a bare list', asked.map(id => ({blob_id: id, upload_url: at(id)}))],
	['a list two levels down', {data: {items: asked.map(id => ({id, presigned_url: at(id)}))}, ok: true}],
	['a blob under another name', {uploads: asked.map(id => ({sha256: id, put: at(id)}))}],
	['an object by blob', {targets: {[a]: at(a), [b]: {url: at(b)}}}],
	['any order', asked.toReversed().map(id => ({blob_id: id, href: at(id), method: 'put'}))],
];

test.each(readable)('%s shape is read', (_, answer) => {
	const targets = readTargets(answer, asked)?.toSorted((x, y) => (x.blobId < y.blobId ? -1 : 1));
	expect(targets).toEqual(asked.map(plain));
});

test('headers, expiry and what is there already are taken along', () => {
	const expires_at = '2030-01-01T00:00:00Z';
	const first = {blob_id: a, stored: true};
	const second = {blob_id: b, stored: false, url: at(b), headers: {'x-amz-acl': 'private'}, expires_at};
	expect(readTargets([first, second], asked)).toEqual([
		{...plain(a), url: '', stored: true},
		{...plain(b), stored: false, headers: {'x-amz-acl': 'private'}, expiresAt: Date.parse(expires_at)},
	]);
});

const unreadable: [string, unknown][] = [
	['nothing', undefined],
	['text', 'https://store.example/'],
	['an empty list', {targets: []}],
	['a blob short', [{blob_id: a, url: at(a)}]],
	['a blob that was not asked for', [...asked, 'c'.repeat(64)].map(id => ({blob_id: id, url: at(id)}))],
	['an entry without an address', [{blob_id: a, url: at(a)}, {blob_id: b}]],
	['an address that is none', asked.map(id => ({blob_id: id, url: 'ftp://store.example'}))],
	['two addresses of which neither is known', asked.map(id => ({blob_id: id, one: at(a), two: at(b)}))],
	['a form to be posted', asked.map(id => ({blob_id: id, url: at(id), method: 'POST', fields: {key: 'x'}}))],
	['headers that are no text', asked.map(id => ({blob_id: id, url: at(id), headers: {n: 1}}))],
	[
		'two lists that fit',
		{one: asked.map(id => ({id, url: at(id)})), two: asked.map(id => ({id, url: at(id)}))},
	],
	['a list too deep', {a: {b: {c: {d: asked.map(id => ({id, url: at(id)}))}}}}],
];

test.each(unreadable)('%s is not read', (_, answer) => {
	expect(readTargets(answer, asked)).toBeUndefined();
});

const hosted = {origin: 'https://lake.example', loopback: false, plainAllowed: false};
const local = {origin: 'http://127.0.0.1:4000', loopback: true, plainAllowed: true};
const lab = {origin: 'http://lab:4000', loopback: false, plainAllowed: true};

test.each([
	['https://store.example/x', hosted, undefined],
	['https://store.example/x', local, undefined],
	['http://store.example/x', hosted, 'is plain http, which others could read'],
	['http://127.0.0.1:9/x', hosted, 'is plain http, which others could read'],
	['http://127.0.0.1:9/x', local, undefined],
	['http://[::1]:9/x', local, undefined],
	['http://store.example/x', local, 'is plain http, which others could read'],
	['http://lab:4000/x', lab, undefined],
	['http://lab:4001/x', lab, 'is plain http, which others could read'],
	['https://user:pass@store.example/', hosted, 'holds a user name or password'],
	['file:///etc/passwd', local, 'is neither https nor http'],
	['nonsense', local, 'is no URL'],
])('a blob goes to %s or not', (url, giver, problem) => {
	expect(addressProblem(url, giver)).toBe(problem);
});

test('headers that would carry the key, break the framing or the request are not sent', () => {
	const given: [string, string][] = [
		['content-type', 'application/octet-stream'],
		['x-amz-checksum-sha256', 'abc='],
		['X-API-Key', 'stolen'],
		['Transfer-Encoding', 'chunked'],
		['content-length', '1'],
		['host', 'elsewhere'],
		['bad name', 'x'],
		['x', 'a\r\nx-api-key: b'],
	];
	expect(given.filter(isPlainHeader).map(([name]) => name)).toEqual([
		'content-type',
		'x-amz-checksum-sha256',
	]);
});
