import {endpoints} from '../contract/endpoints.ts';
import type {DatasetFilesQuery} from '../contract/files.ts';
import type {DismissRequest} from '../contract/uploads.ts';
import type {Answer} from './answer.ts';
import type {Caller} from './call.ts';
import type {CallOptions} from './options.ts';

/** What is asked about one dataset; the document shows none of the answers, which are given as they come. */
export type DatasetCalls = {
	/** 4.5: a saved dataset definition. */
	definition(defId: string, options?: CallOptions): Promise<Answer<unknown>>;
	/** 4.7: acknowledges a repo's failed upload, up to what the caller saw. */
	dismissUpload(repoId: string, request: DismissRequest, options?: CallOptions): Promise<Answer<unknown>>;
	/** 4.8: the files of a dataset and its card. */
	datasetFiles(query: DatasetFilesQuery, options?: CallOptions): Promise<Answer<unknown>>;
};

export function datasetCalls(call: Caller): DatasetCalls {
	return {
		definition: (def_id, o) => call(endpoints.definition, {parameters: {def_id}}, o),
		dismissUpload: (repo_id, body, o) => call(endpoints.dismissUpload, {parameters: {repo_id}, body}, o),
		datasetFiles: (query, o) => call(endpoints.datasetFiles, {query}, o),
	};
}
