import type {ServerResponse} from 'node:http';

/** One server-sent event; the document shows neither names nor payloads (section 6). */
export type PipelineEvent = {event?: string; data: unknown; id?: string; retry?: number};

/** The subscribers of the account's event stream. */
export class EventHub {
	readonly #subscribers = new Set<ServerResponse>();

	get subscribers(): number {
		return this.#subscribers.size;
	}

	subscribe(response: ServerResponse): void {
		response.writeHead(200, {'content-type': 'text/event-stream', 'cache-control': 'no-store'});
		response.flushHeaders();
		this.#subscribers.add(response);
		response.on('close', () => this.#subscribers.delete(response));
	}

	publish({event, data, id, retry}: PipelineEvent): void {
		const lines = [
			...(event === undefined ? [] : [`event: ${event}`]),
			...(id === undefined ? [] : [`id: ${id}`]),
			...(retry === undefined ? [] : [`retry: ${retry}`]),
			...(typeof data === 'string' ? data : JSON.stringify(data)).split('\n').map(line => `data: ${line}`),
		];
		this.write(`${lines.join('\n')}\n\n`);
	}

	/** Sends text as it is: half an event, a comment, an unknown field. */
	write(text: string): void {
		for (const response of this.#subscribers) response.write(text);
	}

	/** Cuts every subscriber off without a word. */
	drop(): void {
		for (const response of this.#subscribers) response.destroy();
		this.#subscribers.clear();
	}
}
