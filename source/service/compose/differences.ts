/** What of a dataset must be the same for its episodes to lie beside another's. */
export type Described = {
	readonly dataset_name: string;
	readonly robot_type?: string | null | undefined;
	readonly fps?: number | null | undefined;
	readonly features: Readonly<
		Record<
			string,
			{
				readonly dtype?: string | undefined;
				readonly shape?: readonly number[] | undefined;
				readonly names?: unknown;
			}
		>
	>;
};

/** Columns that every dataset has, and that the writer makes anew. */
const ownColumns = new Set([
	'timestamp',
	'frame_index',
	'episode_index',
	'index',
	'task_index',
	'subtask_index',
]);

/** Field by field what differs between two datasets, each as a sentence that names both. */
export function differences(one: Described, other: Described): string[] {
	const found: string[] = [];
	const compare = (field: string, a: unknown, b: unknown) => {
		const [here, there] = [said(a), said(b)];
		if (here === there) return;
		found.push(`${field} is ${here} in ${one.dataset_name} and ${there} in ${other.dataset_name}`);
	};
	compare('robot_type', one.robot_type, other.robot_type);
	compare('fps', one.fps, other.fps);
	const keys = new Set([...Object.keys(one.features), ...Object.keys(other.features)]);
	for (const key of keys) {
		if (ownColumns.has(key)) continue;
		const [a, b] = [one.features[key], other.features[key]];
		if (!a || !b) {
			const [has, lacks] = a ? [one, other] : [other, one];
			found.push(`${has.dataset_name} has a feature "${key}" and ${lacks.dataset_name} has none`);
			continue;
		}
		compare(`the dtype of "${key}"`, a.dtype, b.dtype);
		compare(`the shape of "${key}"`, a.shape, b.shape);
		if (a.dtype !== 'video' && a.dtype !== 'image') compare(`the names of "${key}"`, a.names, b.names);
	}
	return found;
}

function said(value: unknown): string {
	return value === undefined || value === null ? 'not said' : JSON.stringify(value);
}
