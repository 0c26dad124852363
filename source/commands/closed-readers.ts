/** Whoever read our output has gone: there is nobody left to write for, which is no failure. */
export class ReaderGoneError extends Error {
	override readonly name = 'ReaderGoneError';
}

/** Keeps a closed reader from ending the program by an unhandled event; who writes is told by the write itself. */
export function tolerateClosedReaders(): void {
	process.stdout.on('error', () => undefined);
	process.stderr.on('error', () => undefined);
}
