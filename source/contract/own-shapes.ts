import type * as z from 'zod';
import type {EndpointName} from './endpoints.ts';
import {ownDatasetFiles} from './files.ts';
import {ownImageKeys} from './image-keys.ts';
import {augmentationCancelled, ownAugmentationStatus} from './local-augmentations.ts';
import {ownDefinition} from './local-definitions.ts';
import {dismissResponse, prepareBatchQuery, prepareBatchResponse} from './local-uploads.ts';
import {ownJobList, ownListQuery, ownModelList, ownProjectList} from './own-lists.ts';
import {ownProjectRequest} from './projects.ts';

/**
 * How the embedded service reads and answers those endpoints of which the document leaves something open, where its own
 * shape says more than the document's. Shapes of lakescope's own.
 */
export const ownShapes: {
	readonly [Name in EndpointName]?: {
		readonly query?: z.ZodType;
		readonly body?: z.ZodType;
		readonly response?: z.ZodType;
	};
} = {
	imageKeys: {response: ownImageKeys},
	prepareBatch: {query: prepareBatchQuery, response: prepareBatchResponse},
	definition: {response: ownDefinition},
	datasetFiles: {response: ownDatasetFiles},
	augmentationStatus: {response: ownAugmentationStatus},
	cancelAugmentation: {response: augmentationCancelled},
	dismissUpload: {response: dismissResponse},
	listModels: {query: ownListQuery, response: ownModelList},
	listJobs: {query: ownListQuery, response: ownJobList},
	listProjects: {query: ownListQuery, response: ownProjectList},
	createProject: {body: ownProjectRequest},
};
