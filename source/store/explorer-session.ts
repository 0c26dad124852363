import {createStore, type StoreApi} from 'zustand/vanilla';
import type {Explorer} from './explorer.ts';

/** Datasets of this machine that can be ingested into an empty lake. */
export type Offer = {
	/** Their folders. */
	readonly folders: readonly string[];
	/** A folder's name in the list. */
	readonly nameOf: (folder: string) => string;
	/** Where they were found, as people read it. */
	readonly place: string;
	/** Ingests some of them; the session shows that lake from then on. */
	readonly take: (folders: readonly string[]) => Promise<void>;
};

/** The lake that is being explored. Another lake is another session, with an explorer of its own. */
export type ExplorerSession = {
	readonly explorer: Explorer;
	readonly lakeName: string;
	readonly offer: Offer | undefined;
};

export function createExplorerSession(explorerSession: ExplorerSession): StoreApi<ExplorerSession> {
	return createStore(() => explorerSession);
}
