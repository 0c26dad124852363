import type {ComponentType} from 'react';
import {EventDetail, EventsPane} from '../panes/activity/events-pane.tsx';
import {DatasetDetail} from '../panes/artifacts/dataset-detail.tsx';
import {DatasetsPane} from '../panes/artifacts/datasets-pane.tsx';
import {ModelDetail, ModelsPane} from '../panes/artifacts/models-pane.tsx';
import {ProjectDetail, ProjectsPane} from '../panes/artifacts/projects-pane.tsx';
import {JobDetail} from '../panes/jobs/job-detail.tsx';
import {JobsPane} from '../panes/jobs/jobs-pane.tsx';
import type {ListLook} from '../panes/list/list-pane.tsx';
import {UploadDetail} from '../panes/uploads/upload-detail.tsx';
import {UploadsPane} from '../panes/uploads/uploads-pane.tsx';
import type {ListId} from '../store/state/list-location.ts';
import type {ViewId} from '../store/state/user-state.ts';

/** A view that is a list with what was opened of it. */
type ListViewEntry = {
	readonly key: string;
	readonly Pane: ComponentType<ListLook>;
	readonly Detail: ComponentType<ListLook & {readonly beside: boolean}>;
	/** Label of the field to follow an item outside the list: `job id`. */
	readonly follows?: string;
};

/** Every list that is a view. Its id is named in `store/list-place.ts`, what it is read from in `store/explorer.ts`. */
export const listViews: Readonly<Record<ListId, ListViewEntry>> = {
	uploads: {key: '2', Pane: UploadsPane, Detail: UploadDetail, follows: 'operation id'},
	jobs: {key: '3', Pane: JobsPane, Detail: JobDetail, follows: 'job id'},
	datasets: {key: '4', Pane: DatasetsPane, Detail: DatasetDetail},
	models: {key: '5', Pane: ModelsPane, Detail: ModelDetail},
	projects: {key: '6', Pane: ProjectsPane, Detail: ProjectDetail},
	events: {key: '7', Pane: EventsPane, Detail: EventDetail},
};

/** The views by number, and the pane that has the keyboard there. */
export const views: readonly {readonly key: string; readonly view: ViewId; readonly pane: string}[] = [
	{key: '1', view: 'explore', pane: 'episodes'} as const,
	...Object.entries(listViews).map(([list, {key}]) => ({key, view: list as ListId, pane: list})),
].sort((a, b) => a.key.localeCompare(b.key));
