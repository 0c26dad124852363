import {gzipSync} from 'node:zlib';

/** An answer as it goes over the wire. */
export type WireBody = {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: Buffer;
	/** The connection breaks when the body has been sent. */
	readonly breaks?: boolean;
};

/** Values that fit few places: other types, unknown words, bounds passed, what JavaScript and terminals trip over. */
const junk: readonly unknown[] = [
	null,
	true,
	-1,
	0.5,
	1e308,
	2 ** 64,
	'',
	'reticulating',
	'x'.repeat(5000),
	'\u001B[2J\u001B]0;gone\u0007',
	'\uD83D',
	'\u202Eabc\u0000',
	'1970-01-01T00:00:00Z',
	'99999-13-45T99:99:99Z',
	'00000000-0000-0000-0000-000000000000',
	[],
	{},
	[[[[]]]],
	{toString: 1, constructor: null, length: -1},
	[null, 1, 'a', {}],
];

const isNode = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null;

/** Every place of a value, as what holds it and under which name. */
function placesIn(value: unknown, places: [Record<string, unknown>, string][] = []) {
	if (!isNode(value)) return places;
	for (const name of Object.keys(value)) {
		places.push([value, name]);
		placesIn(value[name], places);
	}
	return places;
}

type Random = () => number;
const pickOf =
	(random: Random) =>
	<T>(values: readonly T[]): T =>
		values[Math.floor(random() * values.length)] as T;

/** The same value with one to four of its places changed, left out, or given twice. */
function displaced(value: unknown, random: Random): unknown {
	const pick = pickOf(random);
	const copy = structuredClone(value);
	for (let count = 1 + Math.floor(random() * 4); count > 0; count--) {
		const places = placesIn(copy);
		if (places.length === 0) return pick(junk);
		// Those near the top are few, and break more.
		const [holder, name] = random() < 0.4 ? pick(places.slice(0, 12)) : pick(places);
		const chance = random();
		if (chance < 0.2) delete holder[name];
		else if (chance < 0.3) holder[`${name}_of_tomorrow`] = pick(junk);
		else if (chance < 0.35 && Array.isArray(holder)) holder.push(structuredClone(holder[0]));
		else holder[name] = structuredClone(pick(junk));
	}
	return copy;
}

const json = (body: Buffer | string, status = 200): WireBody => ({
	status,
	headers: {'content-type': 'application/json'},
	body: Buffer.from(body),
});

/** JSON as few write it: written by hand, for `JSON.stringify` would not. */
const oddJson: readonly string[] = [
	'',
	'null',
	'[]',
	'{}',
	'"',
	'NaN',
	'{"items": [1e999, -1e999], "total": 1e400}',
	'{"__proto__": {"items": []}, "constructor": 1}',
	'{"episodes": [], "episodes": {}}',
	'\uFEFF{}',
	'{"total": 123456789012345678901234567890}',
	'// no JSON\n{}',
	'{"items": [],}',
];

/** Another answer in the place of a true one. */
export function garbled(truth: WireBody, random: Random): WireBody {
	const pick = pickOf(random);
	const text = truth.body.toString();
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		value = null;
	}
	const odd = (): WireBody => {
		const at = Math.floor(random() * truth.body.length);
		return pick<() => WireBody>([
			() => ({...json('<!doctype html><h1>Sign in</h1>'), headers: {'content-type': 'text/html'}}),
			() => json('<html><body>Sign in'),
			() => json(truth.body.subarray(0, at)),
			() => ({...json(truth.body.subarray(0, at)), breaks: true}),
			() =>
				json(Buffer.concat([truth.body.subarray(0, at), Buffer.from([0xff, 0xfe, 0xc3, 0x28]), truth.body])),
			() => json(Buffer.from(text.replaceAll('e', '\u00e9'), 'latin1')),
			() => json('['.repeat(100_000)),
			() => json(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
			() =>
				json(
					JSON.stringify({...(value as object), deep: 0}).replace(
						'"deep":0',
						`"deep":${'['.repeat(250)}${']'.repeat(250)}`,
					),
				),
			() => json(pick(oddJson)),
			() => json(`{"items": [${Array(50_000).fill('{}').join(',')}], "page_info": {"has_next": true}}`),
			() => json(JSON.stringify(pick(junk))),
			() => ({...truth, headers: {'content-type': 'application/json', 'content-encoding': 'gzip'}}),
			() => ({
				...json(gzipSync(truth.body).subarray(0, 20)),
				headers: {'content-type': 'application/json', 'content-encoding': 'gzip'},
			}),
			() => json(truth.body, pick([201, 204, 206, 299, 300, 400, 404, 409, 418, 422, 500, 501, 599])),
			() => json(JSON.stringify({detail: pick(junk)}), pick([400, 404, 422, 500])),
			() => json(JSON.stringify({detail: [{loc: pick(junk), msg: pick(junk), type: 1}]}), 422),
		])();
	};
	return random() < 0.6 ? json(JSON.stringify(displaced(value, random)) ?? '') : odd();
}

/** A piece of a stream of events that is none, or one about something else. */
export function garbledEvents(random: Random): string {
	const pick = pickOf(random);
	const fields = ['job_id', 'operation_id', 'repo_id', 'dataset_id', 'phase', 'status', 'x'];
	const payload = displaced(Object.fromEntries(fields.map(name => [name, pick(junk)])), random);
	return pick([
		`data: ${JSON.stringify(payload)}\n\n`,
		`event: ${JSON.stringify(pick(junk))}\nid: ${random()}\ndata: {\n\n`,
		`data: ${'['.repeat(5000)}\n\n`,
		'retry: 99999999999\n\nid: \u0000\ndata\n\n',
		': only a comment\n\n',
		'nonsense\nnonsense: nonsense\n\n',
	]);
}
