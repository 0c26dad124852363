import {stat} from 'node:fs/promises';
import path from 'node:path';
import {readPointer} from '../launch/runtime-file.ts';

/** A lake that was removed is served no longer than this; what is said to be kept meanwhile is lost with its files. */
const lookMs = 2000;

/** Whether the lake's folder is there no more, or is another's: removed, and perhaps made anew. */
async function isTakenAway(lake: string): Promise<boolean> {
	const isMissing = await stat(path.join(lake, 'service.lock')).then(
		() => false,
		(error: NodeJS.ErrnoException) => error.code === 'ENOENT' || error.code === 'ENOTDIR',
	);
	if (isMissing) return true;
	const pointer = await readPointer(lake);
	return pointer !== undefined && pointer.pid !== process.pid;
}

/** Calls `takenAway` once, when the lake's folder has been removed from under its service. @returns what ends that */
export function watchLake(lake: string, takenAway: () => void): () => void {
	const timer = setInterval(() => {
		void isTakenAway(lake).then(isGone => {
			if (!isGone) return;
			clearInterval(timer);
			takenAway();
		});
	}, lookMs).unref();
	return () => clearInterval(timer);
}
