import type {DuckDBConnection} from '@duckdb/node-api';
import type {Database} from './database.ts';
import {Parameters} from './parameters.ts';

/** What a dataset declares of itself, as a training needs to know it. */
export type DatasetDetails = {
	readonly dataset_id: string;
	readonly dataset_name: string;
	/** The dataset's root on this machine. */
	readonly folder: string;
	readonly subtype: string;
	/** LeRobot's codebase version. */
	readonly format: string | null;
	/** Keys of the image features. */
	readonly cameras: readonly string[];
	readonly fps: number | null;
	readonly robot_type: string | null;
	readonly features: Readonly<
		Record<string, {readonly dtype?: string; readonly shape?: readonly number[]; readonly names?: unknown}>
	>;
};

/** The dataset of that name or id, if the lake holds one. */
export async function datasetDetails(
	database: Database,
	connection: DuckDBConnection,
	nameOrId: string,
): Promise<DatasetDetails | undefined> {
	const bound = new Parameters();
	const sql = `SELECT dataset_id, dataset_name, folder, subtype, format, fps, robot_type, cameras, features FROM dataset
		WHERE dataset_name = ${bound.text(nameOrId)} OR dataset_id = ${bound.text(nameOrId.toLowerCase())}
		ORDER BY dataset_name = ${bound.text(nameOrId)} DESC LIMIT 1`;
	const [found] = await database.rows<Omit<DatasetDetails, 'features'> & {features: string}>(
		connection,
		sql,
		bound,
	);
	return found && {...found, features: JSON.parse(found.features) as DatasetDetails['features']};
}
