import {createStore, type StoreApi} from 'zustand/vanilla';
import type {Notify} from './notices.ts';

/** Something that was done and can be taken back. */
type UndoStep = {
	/** Takes it back. @returns a sentence that names what that was; undefined where it failed, which is said by itself */
	readonly takeBack: () => Promise<string | undefined>;
};

/** More steps back than anybody goes. */
const mostSteps = 100;

type UndoOptions = {
	/** Settles when what is under way is done: what it did is the newest step then. */
	readonly settled: () => Promise<void>;
	/** Something is under way. */
	readonly isBusy: () => boolean;
	readonly notify: Notify;
};

/** Steps that can be taken back one after the other, the newest first. */
export class UndoSteps {
	readonly steps: StoreApi<readonly UndoStep[]> = createStore((): readonly UndoStep[] => []);
	readonly #options: UndoOptions;
	#running: Promise<void> = Promise.resolve();

	constructor(options: UndoOptions) {
		this.#options = options;
	}

	/** True if there is anything to take back. */
	get canUndo(): boolean {
		return this.steps.getState().length > 0 || this.#options.isBusy();
	}

	push(step: UndoStep): void {
		this.steps.setState(steps => [...steps, step].slice(-mostSteps), true);
	}

	/** Takes the newest step back, and says what that was. */
	undo(): Promise<void> {
		this.#running = this.#running.then(async () => {
			await this.#options.settled();
			const last = this.steps.getState().at(-1);
			const said = await last?.takeBack();
			if (said === undefined) return;
			this.steps.setState(steps => steps.filter(step => step !== last), true);
			this.#options.notify('info', said);
		});
		return this.#running;
	}
}
