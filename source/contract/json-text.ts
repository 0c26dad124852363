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

/** Characters that JSON may hold and a terminal must not see: DEL, C1, bidi, zero-width, line ends and tag characters. */
const hidden =
	/[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

/** The same JSON with invisible characters as escapes, safe to print anywhere. */
export function visibleJson(json: string): string {
	return json.replace(hidden, chars =>
		[...Array(chars.length).keys()]
			.map(i => `\\u${chars.charCodeAt(i).toString(16).padStart(4, '0')}`)
			.join(''),
	);
}
