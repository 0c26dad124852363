import {constants} from 'node:os';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The user or the system ended the command. */
export class InterruptedError extends Error {
	override readonly name = 'InterruptedError';
	/** The exit code that shells give for this signal. */
	readonly exitCode: number;

	constructor(signal: NodeJS.Signals) {
		super(`ended by ${signal}`);
		this.exitCode = 128 + constants.signals[signal];
	}
}

/** Lets `work` end by itself on ^C and its like: its signal aborts with an {@link InterruptedError}. A second ends at once. */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
	const controller = new AbortController();
	const onSignal = (signal: NodeJS.Signals) => {
		const error = new InterruptedError(signal);
		if (controller.signal.aborted) process.exit(error.exitCode);
		controller.abort(error);
	};
	for (const signal of signals) process.on(signal, onSignal);
	try {
		return await work(controller.signal);
	} finally {
		for (const signal of signals) process.off(signal, onSignal);
	}
}
