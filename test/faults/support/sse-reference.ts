/** An event as the standard says that it is dispatched. */
export type Dispatched = {readonly lastId: string; readonly name: string; readonly data: string};

export type Interpretation = {
	readonly events: readonly Dispatched[];
	readonly retries: readonly number[];
	/** The last id at the end of the stream. */
	readonly lastId: string;
};

/** Reads a whole stream of events as the WHATWG's "Interpreting an event stream" has it, line by line. */
export function interpret(bytes: Uint8Array): Interpretation {
	// Decoding takes one byte order mark away.
	const text = new TextDecoder().decode(bytes);
	const lines = text.split(/\r\n|\n|\r/);
	// What follows the last line end is no line.
	lines.pop();
	const events: Dispatched[] = [];
	const retries: number[] = [];
	let lastId = '';
	let idBuffer = '';
	let data = '';
	let type = '';
	for (const line of lines) {
		if (line === '') {
			lastId = idBuffer;
			if (data !== '') events.push({lastId, name: type || 'message', data: data.replace(/\n$/, '')});
			data = '';
			type = '';
			continue;
		}
		const colon = line.indexOf(':');
		if (colon === 0) continue;
		const field = colon === -1 ? line : line.slice(0, colon);
		const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
		if (field === 'event') type = value;
		else if (field === 'data') data += `${value}\n`;
		else if (field === 'id' && !value.includes('\0')) idBuffer = value;
		else if (field === 'retry' && /^[0-9]+$/.test(value)) retries.push(Number.parseInt(value, 10));
	}
	return {events, retries, lastId};
}
