/** What JSON may hold as it is and a terminal must not see: DEL, C1, bidi, zero-width, line ends and tag characters. */
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
