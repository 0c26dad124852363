import {createStore, type StoreApi} from 'zustand/vanilla';
import type {Explorer} from './explorer.ts';

/** Datasets of this machine that could be taken into a lake that holds nothing. */
export type Offer = {
	/** Their folders. */
	readonly folders: readonly string[];
	/** Where they were found, as people read it. */
	readonly place: string;
	/** Takes some of them in; the scene is that lake from then on. */
	readonly take: (folders: readonly string[]) => Promise<void>;
};

/** What is explored just now. Another lake is another scene, with an explorer of its own. */
export type ExplorerSession = {
	readonly explorer: Explorer;
	readonly lakeName: string;
	readonly offer: Offer | undefined;
};

export function createExplorerSession(explorerSession: ExplorerSession): StoreApi<ExplorerSession> {
	return createStore(() => explorerSession);
}
