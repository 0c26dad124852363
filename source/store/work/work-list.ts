import {createStore, type StoreApi} from 'zustand/vanilla';
import type {Preparation} from '../preparation.ts';

/** Something long that this program does itself: sending a dataset. */
export type Work = Preparation & {
	readonly id: number;
	/** What is lost by calling it off, in a sentence. */
	readonly loss: string;
	/** Calls it off. */
	readonly cancel: () => void;
};

/** Says how far a piece of work is. */
export type WorkReport = {
	tell(progress: Pick<Preparation, 'step' | 'share' | 'amount'>): void;
	/** It is over, however. */
	end(): void;
};

/** What this program is at, so that it is seen in every view and can be called off. */
export class WorkList {
	/** Newest last. */
	readonly known: StoreApi<readonly Work[]> = createStore((): readonly Work[] => []);
	#last = 0;

	begin({subject, loss}: Pick<Work, 'subject' | 'loss'>, cancel: () => void): WorkReport {
		const id = ++this.#last;
		const work: Work = {id, subject, loss, cancel, step: '', share: undefined, amount: ''};
		this.known.setState(all => [...all, work], true);
		return {
			tell: progress =>
				this.known.setState(all => all.map(each => (each.id === id ? {...each, ...progress} : each)), true),
			end: () => this.known.setState(all => all.filter(each => each.id !== id), true),
		};
	}

	/** Calls everything off. */
	stop(): void {
		for (const {cancel} of this.known.getState()) cancel();
	}
}
