/** A description of values as the service itself gives it, in OpenAPI's JSON Schema. */
export type Schema = {
	readonly type?: string | readonly string[];
	readonly enum?: readonly unknown[];
	readonly const?: unknown;
	readonly anyOf?: readonly Schema[];
	readonly format?: string;
	readonly pattern?: string;
	readonly minimum?: number;
	readonly maximum?: number;
	readonly exclusiveMinimum?: number;
	readonly minLength?: number;
	readonly maxLength?: number;
	readonly minItems?: number;
	readonly maxItems?: number;
	readonly items?: Schema;
	readonly properties?: Readonly<Record<string, Schema>>;
	readonly required?: readonly string[];
	readonly additionalProperties?: boolean | Schema;
};

/** Values that no field of this interface expects, or that few programs expect. */
const junk: readonly unknown[] = [
	null,
	true,
	0,
	-1,
	0.5,
	2 ** 31,
	2 ** 53,
	-(2 ** 63),
	1e300,
	'',
	' ',
	'\u0000',
	'a\u0000b',
	'\ud800',
	'😀'.repeat(40),
	'\u202egnirts',
	"'; DROP TABLE episodes; --",
	'%00',
	'../../../../etc/passwd',
	'x'.repeat(5000),
	'NaN',
	'1e9999',
	'__proto__',
	[],
	[[]],
	[null],
	{},
	{constructor: 1},
	JSON.parse('{"__proto__": {"limit": 5}}'),
	{a: {b: {c: {d: {}}}}},
];

/** Texts that might be anything's name. */
const texts = [
	'',
	'push the block',
	'Push the block',
	'cups',
	'local/cups',
	'shoulder.pos',
	'gripper.pos',
	'%',
	'_',
	'a,b',
	'é',
	'\u00df\u0130',
	'"',
	"'",
	'\\',
];

/** Makes requests up: true to a description, and with some chance astray at any place of it. */
export class RequestMaker {
	readonly #random: () => number;
	readonly #ids: readonly string[];

	/** @param ids those that exist, among which some are chosen */
	constructor(random: () => number, ids: readonly string[]) {
		this.#random = random;
		this.#ids = ids;
	}

	/** A number of at least 0 and below 1. */
	chance(): number {
		return this.#random();
	}

	pick<T>(values: readonly T[]): T {
		return values[Math.floor(this.#random() * values.length)] as T;
	}

	/** @param astray how likely each place is to hold something else */
	value(schema: Schema, astray: number): unknown {
		if (this.#random() < astray) return this.#astray(schema);
		if (schema.const !== undefined) return schema.const;
		if (schema.enum) return this.pick(schema.enum);
		if (schema.anyOf) return this.value(this.pick(schema.anyOf), astray);
		const type = Array.isArray(schema.type) ? this.pick(schema.type as string[]) : schema.type;
		switch (type) {
			case 'string':
				return this.#text(schema);
			case 'integer':
				return Math.round(this.#number(schema));
			case 'number':
				return this.#number(schema);
			case 'boolean':
				return this.#random() < 0.5;
			case 'null':
				return null;
			case 'array':
				return Array.from({length: this.#length(schema)}, () => this.value(schema.items ?? {}, astray));
			case 'object':
				return this.#object(schema, astray);
			default:
				return this.pick(junk);
		}
	}

	/** A value in which each field may go astray. */
	changed(example: Readonly<Record<string, unknown>>, astray: number): Record<string, unknown> {
		const entries = Object.entries(example).map(([name, value]): [string, unknown] => [
			name,
			this.#random() < astray ? this.pick(junk) : value,
		]);
		return Object.fromEntries(entries);
	}

	/** One step beyond a bound, or something else altogether. */
	#astray({minimum, maximum, maxLength, maxItems, items}: Schema): unknown {
		const beyond: unknown[] = [
			...(minimum === undefined ? [] : [minimum - 1]),
			...(maximum === undefined ? [] : [maximum + 1]),
			...(maxLength === undefined ? [] : ['x'.repeat(Math.min(maxLength + 1, 100_000))]),
			...(maxItems === undefined || maxItems > 5000
				? []
				: [Array.from({length: maxItems + 1}, () => this.value(items ?? {}, 0))]),
		];
		return beyond.length > 0 && this.#random() < 0.5 ? this.pick(beyond) : this.pick(junk);
	}

	#text({format, pattern, minLength = 0, maxLength = 5000}: Schema): string {
		if (format === 'uuid') return this.#random() < 0.7 ? this.pick(this.#ids) : crypto.randomUUID();
		if (pattern?.includes('{64}')) return this.pick(['0', 'a', 'f']).repeat(64);
		if (pattern?.startsWith('^\\/')) return this.pick(['/', '/none', '/proc/self', '/dev/null', '/etc']);
		if (pattern) return this.pick(['cups', 'a', 'a.b-c_d']);
		const text = this.#random() < 0.3 ? this.pick(this.#ids) : this.pick(texts);
		return text.slice(0, maxLength).padEnd(minLength, 'x');
	}

	#number({minimum, maximum, exclusiveMinimum}: Schema): number {
		const low = minimum ?? (exclusiveMinimum === undefined ? -1000 : exclusiveMinimum + 1e-6);
		const high = maximum ?? Math.max(low, 1000);
		return this.pick([low, high, low + this.#random() * (high - low), Math.min(high, Math.max(low, 1))]);
	}

	#length({minItems = 0, maxItems = 4}: Schema): number {
		const most = this.#random() < 0.02 ? Math.min(maxItems, 512) : Math.min(maxItems, 4);
		return Math.max(minItems, Math.floor(this.#random() * (most + 1)));
	}

	#object({properties = {}, required = [], additionalProperties}: Schema, astray: number): unknown {
		const made: Record<string, unknown> = {};
		for (const [name, schema] of Object.entries(properties)) {
			const there = required.includes(name) ? this.#random() >= astray : this.#random() < 0.3;
			if (there) made[name] = this.value(schema, astray);
		}
		if (typeof additionalProperties === 'object') {
			for (let n = this.#length({}); n > 0; n--) {
				made[this.pick(texts)] = this.value(additionalProperties, astray);
			}
		}
		if (this.#random() < astray) made[this.pick(['extra', '__proto', 'constructor', ''])] = this.pick(junk);
		return made;
	}
}
