import {request} from 'node:http';
import type {RuntimeRecord} from './runtime-file.ts';

/**
 * Asks an idle service to make room for another over the same lake: one of another version, or one in the
 * foreground. It agrees only while it has no client and nothing to do.
 *
 * @returns undefined when it agreed or is gone, else the reason it gave
 */
export function retire(record: RuntimeRecord, timeoutMs = 3000): Promise<string | undefined> {
	return new Promise(resolve => {
		const call = request(new URL('/local/v1/retire', record.url), {
			method: 'POST',
			agent: false,
			timeout: timeoutMs,
			headers: {'x-api-key': record.key, 'content-length': 0},
		});
		call.on('timeout', () => call.destroy(new Error('no answer')));
		call.on('error', (error: NodeJS.ErrnoException) =>
			resolve(
				error.code === 'ECONNREFUSED' || error.code === 'ECONNRESET' ? undefined : 'it does not answer',
			),
		);
		call.on('response', response => {
			let text = '';
			response.setEncoding('utf8');
			response.on('data', (chunk: string) => {
				text = (text + chunk).slice(0, 10_000);
			});
			response.on('end', () => resolve(response.statusCode === 202 ? undefined : detailOf(text)));
		});
		call.end();
	});
}

function detailOf(text: string): string {
	try {
		const detail = (JSON.parse(text) as {detail?: unknown}).detail;
		if (typeof detail === 'string') return detail;
	} catch {
		// Not one of our answers: the sentence below says as much.
	}
	return 'it refuses to end';
}
