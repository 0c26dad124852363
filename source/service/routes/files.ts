import {endpoints} from '../../contract/endpoints.ts';
import {datasetFiles} from '../files/dataset-files.ts';
import {type Route, route} from '../http/route.ts';
import type {Lake} from '../lake/lake.ts';

/** Section 4.8: the files of a dataset, and its card. */
export function fileRoutes(lake: Pick<Lake, 'details'>): readonly Route[] {
	return [route(endpoints.datasetFiles, ({query}) => datasetFiles(lake, query))];
}
