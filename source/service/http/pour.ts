import type {ServerResponse} from 'node:http';

/**
 * Sends what a stream gives, no faster than it is taken, and then ends. A connection that closes cancels the stream; a
 * stream that fails closes the connection.
 */
export async function pour(stream: ReadableStream<Uint8Array>, outgoing: ServerResponse): Promise<void> {
	const reader = stream.getReader();
	const closed = new Promise<void>(resolve => {
		if (outgoing.closed) resolve();
		else outgoing.once('close', resolve);
	});
	void closed.then(() => reader.cancel()).catch(() => undefined);
	try {
		for (let read = await reader.read(); !read.done; read = await reader.read()) {
			if (outgoing.write(read.value)) continue;
			const {promise: drained, resolve} = Promise.withResolvers<void>();
			outgoing.once('drain', resolve);
			await Promise.race([drained, closed]);
		}
		outgoing.end();
	} catch {
		outgoing.destroy();
	}
}
