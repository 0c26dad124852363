import {v5} from 'uuid';

/** The namespace of lakescope's own name-based ids. Changing it would change every id in every lake. */
const namespace = '6f1b8a52-6d0e-5d0c-9c53-0c5d2b0f7a11';

/** The one account of an embedded service: this machine's. */
export const accountId: string = v5('account', namespace);

/** The id of a dataset: UUIDv5 of its name, so that it is the same in every lake and after every ingest. */
export function datasetId(name: string): string {
	return v5(name, namespace);
}
