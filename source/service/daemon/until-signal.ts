const endings = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Settles at the first signal that asks this process to end; later ones are not heard while it does. */
export function untilSignal(): Promise<void> {
	return new Promise(resolve => {
		for (const signal of endings) process.on(signal, () => resolve());
	});
}
