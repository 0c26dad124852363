import {amongIntegers} from './literals.ts';
import type {Server} from './server.ts';

/** A dataset's generation that is in the lake. */
export type CurrentDataset = {
	readonly generation_key: number;
	readonly layout_key: number;
	readonly dataset_id: string;
	readonly dataset_name: string;
	readonly dataset_version_id: string;
	readonly interface_hash: string | null;
	readonly generation: number;
	readonly edition: number;
	readonly episode_count: number;
};

/** One state of the lake: every statement of an answer is bound to it. */
export type Moment = {
	/** In the order of their names. */
	readonly datasets: readonly CurrentDataset[];
	/** The last review that counts. */
	readonly reviews: number;
};

/** The rows of `dataset` that are in the lake, from one reading of the table. */
export const currentDatasets = (columns: string) => `(
	SELECT * FROM (
		SELECT ${columns}, is_removed FROM dataset ORDER BY dataset_id, edition DESC LIMIT 1 BY dataset_id
	) WHERE is_removed = 0
)`;

/** The lake as it is now. */
export async function momentOf(server: Server): Promise<Moment> {
	const columns = `dataset_id, generation_key, layout_key, dataset_name, dataset_version_id, interface_hash, generation,
		edition, episode_count`;
	const [datasets, [last]] = await Promise.all([
		server.rows<CurrentDataset>(
			`SELECT ${columns} FROM ${currentDatasets(columns)} ORDER BY dataset_name, dataset_id`,
		),
		server.rows<{sequence: number}>('SELECT max(sequence) AS sequence FROM review'),
	]);
	return {datasets, reviews: last?.sequence ?? 0};
}

/** The condition that a row belongs to a dataset of this moment, or to one of those given. */
export function within(row: string, datasets: readonly Pick<CurrentDataset, 'generation_key'>[]): string {
	return amongIntegers(
		`${row}.generation_key`,
		datasets.map(({generation_key}) => generation_key),
	);
}

const lastState = 'argMax(state, (sequence, writer))';

/** Recordings whose last decision satisfies a condition. */
const decided = (reviews: number, condition: string) => `(
	SELECT dataset_name, revision FROM review WHERE sequence <= ${reviews}
	GROUP BY dataset_name, revision HAVING ${condition}
)`;

/** The condition that `episode e` is shown in a state, which must be a literal; `unreviewed` is what the ingest had said. */
export function isInState({reviews}: Moment, state: string): string {
	if (reviews === 0) return `e.review_state = ${state}`;
	const recording = '(toString(e.dataset_name), e.revision)';
	return `if(${recording} IN ${decided(reviews, `${lastState} != 'unreviewed'`)},
		${recording} IN ${decided(reviews, `${lastState} = ${state} AND ${lastState} != 'unreviewed'`)},
		e.review_state = ${state})`;
}

/** The last decisions about the recordings that satisfy a condition on `review`. */
export const lastDecisions = ({reviews}: Moment, condition: string) => `
	SELECT dataset_name, revision, ${lastState} AS decided FROM review
	WHERE sequence <= ${reviews} AND ${condition} GROUP BY dataset_name, revision`;
