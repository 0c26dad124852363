/** Section 8 and the tables of section 4, each bound under the name of what it bounds. */

export const exploreLimits = {
	facetValues: 512,
	datasetIds: 4096,
	numericPredicates: 32,
	channelPredicates: 32,
	page: {min: 1, max: 200, default: 50},
	facetList: 512,
	evidence: 32,
	/** Section 2.1: of the longest text that an episode carries, its task. */
	text: 262_144,
} as const;

export const uploadLimits = {
	blobs: {min: 1, max: 128},
	contentLength: {min: 1, max: 33_554_432},
	ttlSeconds: {min: 60, max: 3600, default: 300},
} as const;

export const datasetListLimits = {
	page: {min: 1, max: 1000, default: 20},
	search: 200,
} as const;

export const finetuneLimits = {
	hours: {above: 0, max: 168},
	batchSize: {min: 1, max: 512, default: 32},
	name: 255,
} as const;
