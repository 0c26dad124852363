import {createContext, type ReactNode, useContext, useMemo} from 'react';
import {useStore} from 'zustand';
import {recentJobs, recentUploads} from '../store/activity/recent-work.ts';
import type {EvidenceKnown} from '../store/episodes/evidence-watch.ts';
import type {Explorer} from '../store/explorer.ts';
import type {ExplorerState} from '../store/explorer-state.ts';
import type {Distribution} from '../store/filter/distribution-watch.ts';
import type {Explained} from '../store/filter/explain-empty.ts';
import type {Counted} from '../store/filter/live-count.ts';
import type {JobsKnown} from '../store/jobs/jobs-feed.ts';
import type {OpenedJob} from '../store/jobs/opened-job.ts';
import type {EventLogState} from '../store/queries/event-log.ts';
import type {LiveState} from '../store/queries/event-stream.ts';
import type {Result} from '../store/queries/explore-result.ts';
import type {Freshness} from '../store/queries/freshness.ts';
import type {LinkKind} from '../store/queries/link.ts';
import type {LocalKnowledge} from '../store/queries/local-document.ts';
import type {SavedViewsKnown} from '../store/saved-views/saved-views.ts';
import type {SelectionKnown} from '../store/selection/selection-summary.ts';
import type {Message} from '../store/state/notices.ts';
import type {Work} from '../store/state/work.ts';
import type {UploadFeedKnown} from '../store/uploads/upload-feed.ts';

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

/** True if unsorted episodes come by dataset, then index, as the embedded service lists them. */
export function useOrdersByDataset(): boolean {
	const {isOwn} = useExplorer();
	const isLikeOurs = useLocal(({document}) => document?.abilities.includes('explore') ?? false);
	return isOwn || isLikeOurs;
}

/** A part of what is known of the result. */
export function useResult<Part>(select: (result: Result) => Part): Part {
	return useStore(useExplorer().window.result, select);
}

/** The summary of the selection. */
export function useSelectionKnown(): SelectionKnown {
	return useStore(useExplorer().selection.summary);
}

/** Saved views, and definitions that the service lists. */
export function useSavedViews(): SavedViewsKnown {
	return useStore(useExplorer().savedViews.known);
}

/** The evidence of the channel predicates, where it was requested. */
export function useEvidenceKnown(): EvidenceKnown {
	return useStore(useExplorer().evidence.known);
}

/** Why the filter matches nothing, if it does not. */
export function useExplained(): Explained | undefined {
	return useStore(useExplorer().explanation.known);
}

/** A part of what is known of the embedded service. */
export function useLocal<Part>(select: (local: LocalKnowledge) => Part): Part {
	return useStore(useExplorer().local.known, select);
}

/** A part of the event stream's state. */
export function useLive<Part>(select: (live: LiveState) => Part): Part {
	return useStore(useExplorer().live.state, select);
}

/** The log of the event stream. */
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

/** Details of the opened job that only the embedded service has. */
export function useOpenedJob(): OpenedJob | undefined {
	return useStore(useExplorer().jobs.opened);
}

/** The work that is running in this program. */
export function useWork(): readonly Work[] {
	return useStore(useExplorer().work.known);
}

/** The messages so far, oldest first. */
export function useMessages(): readonly Message[] {
	return useStore(useExplorer().notices.messages);
}

/** The freshness of the view; where the service has no list for it, that of the lake. */
export function useFreshness(): Freshness {
	const {feeds, window} = useExplorer();
	const view = useExplorerState(state => state.view);
	const {known} = (view === 'explore' ? undefined : feeds[view]) ?? {known: window.result};
	const ofLake = useResult(result => result.freshness);
	return useStore(known, ({freshness}) => freshness) ?? ofLake;
}

/** The number of uploads that are running or have just ended. */
export function useUploadCount(): number {
	return useStore(useExplorer().uploads.known, ({entries}) => recentUploads(entries, Date.now()).length);
}

/** The same of jobs. */
export function useJobCount(): number {
	return useStore(useExplorer().jobs.known, ({jobs}) => recentJobs(jobs, Date.now()).length);
}

/** The count of episodes that the typed line would match. */
export function useCounted(): Counted {
	return useStore(useExplorer().filterLine.count.known);
}

/** The distribution of the metric at the caret. */
export function useDistribution(): Distribution | undefined {
	return useStore(useExplorer().filterLine.distribution.known);
}

/** Changes whenever there is more to offer. */
export function useOffers(): number {
	return useStore(useExplorer().filterLine.offers);
}

/** Items that are known by name. */
type Things = {
	readonly things: readonly {
		readonly kind: Exclude<LinkKind, 'episode'>;
		readonly id: string;
		readonly name: string;
	}[];
	/** Names of datasets whose episodes were seen. */
	readonly datasets: readonly string[];
};

/** Everything that has a name here: datasets, models, projects, jobs, uploads. */
export function useThings(): Things {
	const explorer = useExplorer();
	const {catalog, jobs, uploads} = explorer;
	const datasets = useStore(catalog.datasets.known, ({names}) => names);
	const models = useStore(catalog.models.known, ({names}) => names);
	const projects = useStore(catalog.projects.known, ({names}) => names);
	const known = useStore(jobs.known, ({jobs: all}) => all);
	const entries = useStore(uploads.known, feed => feed.entries);
	return useMemo(() => {
		const listed = (kind: 'dataset' | 'model' | 'project', names: typeof datasets) =>
			names.map(({key, label}) => ({kind, id: key, name: label}));
		return {
			things: [
				...listed('dataset', datasets),
				...listed('model', models),
				...listed('project', projects),
				...known.flatMap(({id, name}) => (name === undefined ? [] : [{kind: 'job' as const, id, name}])),
				...entries.flatMap(({operationId: id, name}) =>
					id === undefined || name === undefined ? [] : [{kind: 'upload' as const, id, name}],
				),
			],
			datasets: explorer.datasetNames,
		};
	}, [datasets, models, projects, known, entries, explorer]);
}
