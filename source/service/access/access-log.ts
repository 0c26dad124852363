import type {IncomingMessage, ServerResponse} from 'node:http';
import {visibleJson} from '../../contract/json-text.ts';
import type {Log} from '../host/log.ts';
import {outcomeOf} from '../http/asked.ts';
import {callerOf, isReading} from './caller.ts';

/** The caller named for a request without a key of the keys file: this machine's own users, or a signed target. */
export type Unnamed = 'owner' | 'upload target';

/** How often refusals are summed up, and how often reading is. */
const usualWindows = {refusalsMs: 60_000, readingMs: 600_000};

/** How many peers and keys are told apart between two sums; the rest are one. */
const mostApart = 200;

const longestPath = 200;

type Sum = {count: number; last: string};

/** Counts by a name, of which a stranger may make up as many as they like. */
class Sums {
	readonly #sums = new Map<string, Sum>();

	/** @returns whether this is the first of its name */
	add(name: string, what: string): boolean {
		const known = this.#sums.has(name) || this.#sums.size < mostApart ? name : 'others';
		const sum = this.#sums.get(known);
		this.#sums.set(known, {count: (sum?.count ?? 0) + 1, last: what});
		return sum === undefined;
	}

	take(): readonly (readonly [string, Sum])[] {
		const taken = [...this.#sums];
		this.#sums.clear();
		return taken;
	}
}

/** A request's method and path, without its query, which may hold a signature. */
function whatOf({method = '', url = ''}: IncomingMessage): string {
	const [path = ''] = url.split('?', 1);
	return `${method} ${path.slice(0, longestPath).replace(/[^\x21-\x7e]/g, '?')}`;
}

const peerOf = ({socket}: IncomingMessage) => socket.remoteAddress ?? 'unknown address';

function whoOf(request: IncomingMessage, unnamed: Unnamed): string {
	const caller = callerOf({incoming: request});
	return caller ? visibleJson(JSON.stringify(caller.name)) : unnamed;
}

/**
 * Writes down who did what, by the name of their key and never the key: each change by itself, reading and refusals as
 * sums. Refusals have a file of their own, so that a stranger who is refused often enough cannot push out what others did.
 */
export class AccessLog {
	readonly #changes: Log;
	readonly #refusals: Log;
	readonly #read = new Sums();
	readonly #refused = new Sums();
	readonly #timers: readonly NodeJS.Timeout[];

	constructor({
		changes,
		refusals,
		windows = usualWindows,
	}: {
		changes: Log;
		refusals: Log;
		windows?: typeof usualWindows;
	}) {
		this.#changes = changes;
		this.#refusals = refusals;
		this.#timers = [
			setInterval(() => this.#sumRefusals(), windows.refusalsMs).unref(),
			setInterval(() => this.#sumReading(), windows.readingMs).unref(),
		];
	}

	/** Writes down what becomes of a request that was let in. */
	follow(request: IncomingMessage, response: ServerResponse, unnamed: Unnamed): void {
		const what = whatOf(request);
		const peer = peerOf(request);
		const who = whoOf(request, unnamed);
		response.once('close', () => {
			const status = response.headersSent ? response.statusCode : 'cut off';
			if (status === 401 || status === 403) {
				this.#refuse(`${peer} as ${who}`, status, what);
				return;
			}
			const [path = ''] = (request.url ?? '').split('?', 1);
			if (!isReading({method: request.method ?? '', path})) {
				const outcome = outcomeOf(request);
				this.#changes(`${who} ${peer} ${what} ${status}${outcome === undefined ? '' : ` ${outcome}`}`);
			} else if (unnamed !== 'owner') this.#read.add(`${who} ${peer}`, what);
		});
	}

	/** Writes down that a request was not let in. */
	refused(request: IncomingMessage, status: number): void {
		this.#refuse(peerOf(request), status, whatOf(request));
	}

	close(): void {
		for (const timer of this.#timers) clearInterval(timer);
		this.#sumReading();
		this.#sumRefusals();
	}

	/** The first is told at once, what follows as a sum. */
	#refuse(peer: string, status: number, what: string): void {
		const refused = `${peer} refused with ${status}`;
		if (this.#refused.add(refused, what)) this.#refusals(`${refused}: ${what}`);
	}

	#sumRefusals(): void {
		for (const [refused, {count, last}] of this.#refused.take()) {
			if (count > 1) this.#refusals(`${refused} ${count - 1} times more, last: ${last}`);
		}
	}

	#sumReading(): void {
		for (const [who, {count, last}] of this.#read.take()) {
			this.#changes(`${who} read ${count === 1 ? 'once' : `${count} times`}, last: ${last}`);
		}
	}
}
