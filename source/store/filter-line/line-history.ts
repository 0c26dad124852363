import * as z from 'zod';
import {createStore, type StoreApi} from 'zustand/vanilla';
import {readState, writeState} from '../../files/state.ts';

/** The name under which the lines are remembered. */
const stateName = 'filter-lines';

const mostLines = 200;

/** Nobody types more; what was pasted is not kept from run to run. */
const longestLine = 4096;

const keptLines = z.array(z.string().min(1).max(longestLine)).max(mostLines);

/** The lines with one more, the newest first, each once. */
export function withLine(lines: readonly string[], line: string): readonly string[] {
	const kept = line.trim();
	if (kept === '' || kept.length > longestLine) return lines;
	return [kept, ...lines.filter(other => other !== kept)].slice(0, mostLines);
}

/** The filter lines that were applied or left, the newest first, from this run and those before. */
export class LineHistory {
	readonly lines: StoreApi<readonly string[]> = createStore<readonly string[]>(() => []);
	#recalled: Promise<void> | undefined;
	#isRecalled = false;
	#written: Promise<unknown> = Promise.resolve();

	/** Reads what earlier runs remembered, once. */
	recall(): Promise<void> {
		this.#recalled ??= readState(stateName, keptLines).then(kept => {
			const own = this.lines.getState();
			const lines = [...own].reverse().reduce(withLine, kept ?? []);
			this.lines.setState(lines, true);
			this.#isRecalled = true;
		});
		return this.#recalled;
	}

	/** Does what needs the lines of earlier runs: at once, or as soon as they are read; a key is not lost meanwhile. */
	withRecalled(act: (lines: readonly string[]) => void): void {
		const now = () => act(this.lines.getState());
		if (this.#isRecalled) now();
		else void this.recall().then(now);
	}

	/** Remembers a line, on the disk too. */
	add(line: string): void {
		const lines = withLine(this.lines.getState(), line);
		if (lines === this.lines.getState()) return;
		this.lines.setState(lines, true);
		this.#written = this.#written.then(() => this.#write(line));
	}

	/** Settles when what was added is written. */
	async kept(): Promise<void> {
		await this.#written;
	}

	/** Another explorer may have added lines since this one read them. */
	async #write(line: string): Promise<void> {
		const kept = await readState(stateName, keptLines);
		await writeState(stateName, withLine(kept ?? [], line));
	}
}
