import type * as z from 'zod';
import type {DefinitionListResponse, DefinitionRequest, OwnDefinition} from '../contract/definition-shape.ts';
import {localAugmentationEndpoints} from '../contract/local-augmentation-endpoints.ts';
import type {
	AugmentationListResponse,
	AugmentationRecord,
	AugmentationRequest,
} from '../contract/local-augmentations.ts';
import {localDatasetEndpoints} from '../contract/local-dataset-endpoints.ts';
import {localDefinitionEndpoints} from '../contract/local-definition-endpoints.ts';
import type {ChannelList, Histogram, HistogramRequest} from '../contract/local-distribution.ts';
import {localDistributionEndpoints} from '../contract/local-distribution-endpoints.ts';
import type {ForgetRecord} from '../contract/local-forget.ts';
import type {ownListQuery} from '../contract/own-lists.ts';
import type {Answer} from './answer.ts';
import type {Caller} from './call.ts';
import type {CallOptions} from './options.ts';

/** What only the embedded service makes of datasets: trimmed ones, saved definitions, how their figures lie; and how it forgets one. */
export type LocalCalls = {
	/** Orders an augmentation. */
	augment(request: AugmentationRequest, options?: CallOptions): Promise<Answer<AugmentationRecord>>;
	/** The augmentations, newest first. */
	listAugmentations(options?: CallOptions): Promise<Answer<AugmentationListResponse>>;
	/** All that is known of an augmentation. */
	augmentation(jobId: string, options?: CallOptions): Promise<Answer<AugmentationRecord>>;
	/** Saves a filter or a list of episodes. */
	saveDefinition(request: DefinitionRequest, options?: CallOptions): Promise<Answer<OwnDefinition>>;
	/** A page of the saved definitions. */
	listDefinitions(
		query?: z.input<typeof ownListQuery>,
		options?: CallOptions,
	): Promise<Answer<DefinitionListResponse>>;
	/** What forgetting a dataset would do. */
	forgetPlan(datasetId: string, options?: CallOptions): Promise<Answer<ForgetRecord>>;
	/** Takes a dataset out of the lake. */
	forgetDataset(datasetId: string, options?: CallOptions): Promise<Answer<ForgetRecord>>;
	/** How a figure is distributed over the whole result of a filter. */
	histogram(request: HistogramRequest, options?: CallOptions): Promise<Answer<Histogram>>;
	/** Every channel that an episode of the lake has. */
	listChannels(options?: CallOptions): Promise<Answer<ChannelList>>;
};

export function localCalls(call: Caller): LocalCalls {
	const {augment, listAugmentations, augmentation} = localAugmentationEndpoints;
	const {saveDefinition, listDefinitions} = localDefinitionEndpoints;
	const {histogram, listChannels} = localDistributionEndpoints;
	const {forgetPlan, forgetDataset} = localDatasetEndpoints;
	return {
		augment: (body, o) => call(augment, {body}, o),
		listAugmentations: o => call(listAugmentations, {}, o),
		augmentation: (job_id, o) => call(augmentation, {parameters: {job_id}}, o),
		saveDefinition: (body, o) => call(saveDefinition, {body}, o),
		listDefinitions: (query = {}, o) => call(listDefinitions, {query}, o),
		forgetPlan: (dataset_id, o) => call(forgetPlan, {parameters: {dataset_id}}, o),
		forgetDataset: (dataset_id, o) => call(forgetDataset, {parameters: {dataset_id}}, o),
		histogram: (body, o) => call(histogram, {body}, o),
		listChannels: o => call(listChannels, {}, o),
	};
}
