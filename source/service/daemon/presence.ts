import {type IncomingMessage, request} from 'node:http';
import type {PresenceDocument} from '../../contract/local.ts';
import type {RuntimeRecord} from './runtime-file.ts';

/** A connection that keeps a service from ending. It does not keep this process alive. */
export type Presence = {
	readonly document: PresenceDocument;
	/** Settles once the connection has ended, on either side. */
	readonly lost: Promise<void>;
	leave(): void;
};

/** `absent`: no service, or another program, answers there. `silent`: a process holds the port and does not answer. */
type PresenceOutcome = Presence | 'absent' | 'silent';

const longestFirstLine = 64 * 1024;

function readDocument(line: string): PresenceDocument | undefined {
	try {
		const found: unknown = JSON.parse(line);
		const document = found as Partial<PresenceDocument> | null;
		return document?.service === 'lakescope' && typeof document.lake === 'string'
			? (document as PresenceDocument)
			: undefined;
	} catch {
		return undefined;
	}
}

/** Resolves with the first line of a response, and leaves the rest flowing into nothing. */
function firstLine(response: IncomingMessage): Promise<string> {
	return new Promise((resolve, reject) => {
		let text = '';
		const onData = (chunk: string) => {
			text += chunk;
			const end = text.indexOf('\n');
			if (end === -1 && text.length <= longestFirstLine) return;
			response.off('data', onData).resume();
			resolve(text.slice(0, end === -1 ? text.length : end));
		};
		response.setEncoding('utf8').on('data', onData);
		response.once('end', () => reject(new Error('ended before its first line')));
		response.once('error', reject);
	});
}

/**
 * Holds the service that a runtime record tells of: one authenticated request that the service never ends, so
 * that it knows its clients by their connections, and the death of a client by the kernel's closing of its own.
 *
 * @param timeoutMs how long the service may take to answer
 */
export function holdPresence(
	record: Pick<RuntimeRecord, 'url' | 'key'>,
	{timeoutMs, signal}: {timeoutMs: number; signal?: AbortSignal | undefined},
): Promise<PresenceOutcome> {
	return new Promise((resolve, reject) => {
		const call = request(new URL('/local/v1/presence', record.url), {
			agent: false,
			headers: {'x-api-key': record.key, accept: 'application/x-ndjson'},
		});
		const settle = (outcome: PresenceOutcome) => {
			clearTimeout(timer);
			signal?.removeEventListener('abort', onAbort);
			if (typeof outcome === 'string') call.destroy();
			resolve(outcome);
		};
		const timer = setTimeout(() => settle('silent'), timeoutMs);
		const onAbort = () => {
			clearTimeout(timer);
			call.destroy();
			reject(signal?.reason);
		};
		if (signal?.aborted) return onAbort();
		signal?.addEventListener('abort', onAbort, {once: true});
		call.on('error', () => settle('absent'));
		call.on('response', response => {
			if (response.statusCode !== 200) return settle('absent');
			const lost = new Promise<void>(gone => response.once('close', gone));
			firstLine(response).then(
				line => {
					const document = readDocument(line);
					if (!document) return settle('absent');
					response.socket.unref();
					settle({document, lost, leave: () => call.destroy()});
				},
				() => settle('absent'),
			);
		});
		call.end();
	});
}
