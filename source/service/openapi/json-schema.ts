import * as z from 'zod';

export type JsonSchema = Record<string, unknown>;

const isSafeBound = (value: unknown) => Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;

/** Keywords of zod that mean nothing to a reader, or that JSON Schema does not know. */
function tidy(schema: JsonSchema): void {
	if (isSafeBound(schema.minimum)) delete schema.minimum;
	if (isSafeBound(schema.maximum)) delete schema.maximum;
	if (schema.format === 'starts_with') delete schema.format;
	// An object that may hold more is what one is without a word.
	const more = schema.additionalProperties;
	if (typeof more === 'object' && more !== null && Object.keys(more).length === 0) {
		delete schema.additionalProperties;
	}
}

/** A schema's values as they stand in JSON, as JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
export function jsonSchema(schema: z.ZodType): JsonSchema {
	const {$schema: _, ...described} = z.toJSONSchema(schema, {
		target: 'draft-2020-12',
		io: 'input',
		unrepresentable: 'any',
		override: ({zodSchema, jsonSchema: made}) => {
			const described = made as JsonSchema;
			const wire = z.globalRegistry.get(zodSchema)?.wire;
			if (typeof wire === 'object') {
				for (const name of Object.keys(described)) delete described[name];
				Object.assign(described, wire);
			}
			tidy(described);
		},
	});
	return described;
}
