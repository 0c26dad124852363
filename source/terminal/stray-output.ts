/** A stream that something may write to although the screen is ours. */
type Stray = NodeJS.WritableStream & {readonly isTTY?: boolean};

/**
 * Keeps words that are meant for a terminal (console.log, a warning of Node's) from falling into the
 * picture: while the screen is ours they go to `log`. A stream that is no terminal is left alone.
 *
 * @returns gives the streams back.
 */
export function divertStrayOutput(streams: readonly Stray[], log: (text: string) => void): () => void {
	const restores: (() => void)[] = [];
	for (const stream of new Set(streams)) {
		if (stream.isTTY !== true) continue;
		const own = Object.getOwnPropertyDescriptor(stream, 'write');
		const diverted = (
			chunk: unknown,
			encodingOrDone?: unknown,
			done?: (error?: Error | null) => void,
		): boolean => {
			log(typeof chunk === 'string' ? chunk : Buffer.from(chunk as Uint8Array).toString());
			const written = typeof encodingOrDone === 'function' ? encodingOrDone : done;
			if (typeof written === 'function') queueMicrotask(() => written(null));
			return true;
		};
		Object.defineProperty(stream, 'write', {value: diverted, configurable: true, writable: true});
		restores.push(() => {
			if (own === undefined) Reflect.deleteProperty(stream, 'write');
			else Object.defineProperty(stream, 'write', own);
		});
	}
	return () => {
		for (const restore of restores.splice(0)) restore();
	};
}
