import process from 'node:process';

/** The actions of ^Z, `kill -TSTP`, `fg` and `kill -CONT`. */
type JobControl = {
	/** Gives the terminal back and stops this job, as ^Z does in a terminal that is not raw. */
	suspend(): void;
	/** Stops listening to signals. */
	dispose(): void;
};

/**
 * A shell that does not know jobs stops nothing: the signal is discarded where no shell could continue us,
 * and after this long we go on by ourselves.
 */
const stoppedWithinMs = 200;

/**
 * @param ready what has to be over before the process may stop; undefined where there is nothing.
 * @param release gives the terminal back; called right before the process stops.
 * @param resume takes the terminal again and draws everything; also after a stop that came without warning.
 */
export function createJobControl({
	ready,
	release,
	resume,
}: {
	ready: () => Promise<void> | undefined;
	release: () => void;
	resume: () => void;
}): JobControl {
	let timer: NodeJS.Timeout | undefined;
	let isStopping = false;

	function continued(): void {
		clearTimeout(timer);
		timer = undefined;
		isStopping = false;
		process.off('SIGTSTP', stopAlone);
		process.on('SIGTSTP', stopAlone);
		resume();
	}

	/** @param target a process, or 0 for the whole job: what started us (npm, a script) stops with us. */
	function stop(target: number): void {
		if (isStopping) return;
		isStopping = true;
		const wait = ready();
		if (wait === undefined) stopNow(target);
		else void wait.then(() => stopNow(target));
	}

	function stopNow(target: number): void {
		// Continued, or ended, meanwhile.
		if (!isStopping) return;
		release();
		// Without a listener the signal does what it does to any process.
		process.off('SIGTSTP', stopAlone);
		timer = setTimeout(continued, stoppedWithinMs);
		process.kill(target, 'SIGTSTP');
	}

	function stopAlone(): void {
		stop(process.pid);
	}

	process.on('SIGTSTP', stopAlone);
	process.on('SIGCONT', continued);

	return {
		suspend: () => stop(0),
		dispose() {
			isStopping = false;
			clearTimeout(timer);
			process.off('SIGTSTP', stopAlone);
			process.off('SIGCONT', continued);
		},
	};
}
