import {createContext, type ReactNode, useContext} from 'react';
import {useStore} from 'zustand';
import type {Explained} from '../store/empty-result/explain-empty.ts';
import type {EvidenceKnown} from '../store/evidence/evidence-watch.ts';
import type {Explorer} from '../store/explorer.ts';
import type {ExplorerState} from '../store/explorer-state.ts';
import type {Freshness} from '../store/freshness.ts';
import type {JobsKnown} from '../store/jobs/jobs-feed.ts';
import type {OpenedJob} from '../store/jobs/opened-job.ts';
import type {EventLogState} from '../store/live/event-log.ts';
import type {LiveState} from '../store/live/live-stream.ts';
import type {LocalKnowledge} from '../store/local-watch.ts';
import type {Message} from '../store/notices/notice.ts';
import type {Result} from '../store/result.ts';
import type {SavedViewsKnown} from '../store/saved-views/saved-views.ts';
import type {SelectionKnown} from '../store/selection/selection-summary.ts';
import type {UploadFeedKnown} from '../store/uploads/upload-feed.ts';
import type {Work} from '../store/work/work-list.ts';

const ExplorerContext = createContext<Explorer | undefined>(undefined);

export function ExplorerProvider({
	explorer,
	children,
}: {
	readonly explorer: Explorer;
	readonly children: ReactNode;
}): ReactNode {
	return <ExplorerContext value={explorer}>{children}</ExplorerContext>;
}

/** The explorer of this tree: the same object for the whole session. */
export function useExplorer(): Explorer {
	const explorer = useContext(ExplorerContext);
	if (explorer === undefined) throw new Error('useExplorer needs an ExplorerProvider above it');
	return explorer;
}

/** A part of the explorer's own state; the component renders again only when that part is another. */
export function useExplorerState<Part>(select: (state: ExplorerState) => Part): Part {
	return useStore(useExplorer().state, select);
}

/** Whether what nobody ordered is in the order of this program's own service: by dataset, then index. */
export function useOrdersByDataset(): boolean {
	const {isOwn} = useExplorer();
	const isLikeOurs = useLocal(({document}) => document?.abilities.includes('explore') ?? false);
	return isOwn || isLikeOurs;
}

/** A part of what is known of the result. */
export function useResult<Part>(select: (result: Result) => Part): Part {
	return useStore(useExplorer().window.result, select);
}

/** What the selection comes to. */
export function useSelectionKnown(): SelectionKnown {
	return useStore(useExplorer().selection.summary);
}

/** What can be opened as a view. */
export function useSavedViews(): SavedViewsKnown {
	return useStore(useExplorer().savedViews.known);
}

/** How episodes meet the channel predicates, where that was asked for. */
export function useEvidenceKnown(): EvidenceKnown {
	return useStore(useExplorer().evidence.known);
}

/** Why the filter lets nothing through, where it does not. */
export function useExplained(): Explained | undefined {
	return useStore(useExplorer().explanation.known);
}

/** A part of what is known of the embedded service. */
export function useLocal<Part>(select: (local: LocalKnowledge) => Part): Part {
	return useStore(useExplorer().local.known, select);
}

/** A part of how the stream of events is. */
export function useLive<Part>(select: (live: LiveState) => Part): Part {
	return useStore(useExplorer().live.state, select);
}

/** What came over the stream of events. */
export function useEventLog(): EventLogState {
	return useStore(useExplorer().live.log.known);
}

/** The feed of uploads. */
export function useUploads(): UploadFeedKnown {
	return useStore(useExplorer().uploads.known);
}

/** Every job that is known. */
export function useJobs(): JobsKnown {
	return useStore(useExplorer().jobs.known);
}

/** What the embedded service knows of the opened job besides. */
export function useOpenedJob(): OpenedJob | undefined {
	return useStore(useExplorer().jobs.opened);
}

/** What this program is at. */
export function useWork(): readonly Work[] {
	return useStore(useExplorer().work.known);
}

/** What was said, oldest first. */
export function useMessages(): readonly Message[] {
	return useStore(useExplorer().notices.messages);
}

/** How fresh what the view shows is; where the service has no list for it, how fresh the lake is. */
export function useFreshness(): Freshness {
	const {feeds, window} = useExplorer();
	const view = useExplorerState(state => state.view);
	const {known} = (view === 'explore' ? undefined : feeds[view]) ?? {known: window.result};
	const ofLake = useResult(result => result.freshness);
	return useStore(known, ({freshness}) => freshness) ?? ofLake;
}
