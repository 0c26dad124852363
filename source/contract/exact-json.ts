declare global {
	interface JSON {
		/** A value that `JSON.stringify` writes as this text (Node 22 and later). */
		rawJSON(text: string): {readonly rawJSON: string};
	}
}

/** Writes JSON without losing digits: a bigint becomes the integer that it is. */
export function exactJson(value: unknown): string {
	return JSON.stringify(value, (_, field: unknown) =>
		typeof field === 'bigint' ? JSON.rawJSON(field.toString()) : field,
	);
}
