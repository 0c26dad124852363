import type {ServiceEventData} from '../../contract/service-events.ts';
import type {Announcement} from '../host/announce.ts';
import type {IngestOperation} from '../operations/ingest-operation.ts';

/** The event that tells of an ingest's phase. */
export function ingestPhase({operationId, repoId, datasetName, phase}: IngestOperation): Announcement {
	const data: ServiceEventData<'ingest.phase'> = {
		operation_id: operationId,
		repo_id: repoId,
		dataset_id: repoId,
		dataset_name: datasetName,
		phase,
	};
	return {name: 'ingest.phase', data};
}
