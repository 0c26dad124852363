import {ok, Refusal} from './answers.ts';
import type {Artifact} from './artifacts.ts';
import type {Handler} from './calls.ts';
import {pageOf} from './listing.ts';
import {checkAccount, pathUuid} from './parts.ts';
import {choice, demand, integerText, object, optional, required, text, uuid} from './validation.ts';

const absent = <T>(): T | undefined => undefined;

const listQuery = object({
	dataset_type: optional(choice(['', 'lerobot_v3', 'sarm_progress']), ''),
	direction: optional(choice(['', 'input', 'output']), ''),
	project_id: optional<string | undefined>(uuid, absent()),
	job_id: optional<string | undefined>(uuid, absent()),
	search: optional(text({max: 200}), ''),
	limit: optional(integerText({ge: 1, le: 1000}), 20),
	cursor: optional<string | undefined>(text(), absent()),
	sort: optional(choice(['newest', 'oldest', 'updated', 'name']), 'newest'),
});

const orders: Record<string, (left: Artifact, right: Artifact) => number> = {
	newest: (left, right) => right.created_at.localeCompare(left.created_at),
	oldest: (left, right) => left.created_at.localeCompare(right.created_at),
	updated: (left, right) => right.updated_at.localeCompare(left.updated_at),
	name: (left, right) => (left.path < right.path ? -1 : left.path > right.path ? 1 : 0),
};

const imageKeys = ['observation.images.front', 'observation.images.wrist'];

/** The camera keys of a dataset named by its path, the id in the hub, or by its artifact. */
export function imageKeysOf(datasets: readonly Artifact[], id: string): string[] | undefined {
	return datasets.some(({path, artifact_id}) => path === id || artifact_id === id) ? imageKeys : undefined;
}

export const listDatasets: Handler = ({query, state}) => {
	const wanted = demand(listQuery, query, ['query']);
	const {dataset_type, direction, project_id, job_id, search} = wanted;
	const projectOf = new Map(state.jobItems.map(item => [item.job_id, item.project_id]));
	const items = state.datasets.filter(({subtype, path, jobs = []}) => {
		const links = jobs.filter(
			link =>
				(direction === '' || link.direction === direction) &&
				(job_id === undefined || link.job_id === job_id) &&
				(project_id === undefined || projectOf.get(link.job_id) === project_id),
		);
		const isLinkSought = direction !== '' || job_id !== undefined || project_id !== undefined;
		return (
			(dataset_type === '' || subtype === dataset_type) &&
			(!isLinkSought || links.length > 0) &&
			path.toLowerCase().includes(search.toLowerCase())
		);
	});
	const {sort, limit, cursor} = wanted;
	const compare = orders[sort] ?? (() => 0);
	return ok(pageOf({items, idOf: item => item.artifact_id, compare, sort, limit, cursor}));
};

export const listImageKeys: Handler = ({params, state}) => {
	const keys = imageKeysOf(state.datasets, params.dataset_id ?? '');
	if (!keys) throw new Refusal(404, 'Unknown dataset');
	return ok({image_keys: keys});
};

export const datasetFiles: Handler = ({query, state}) => {
	const {path, ref} = demand(object({path: required(text()), ref: optional(text(), 'main')}), query, [
		'query',
	]);
	if (!state.datasets.some(dataset => dataset.path === path)) throw new Refusal(404, 'Repo not found');
	return ok({
		path,
		ref,
		files: [
			{path: 'README.md', size: 120},
			{path: 'meta/info.json', size: 2048},
			{path: 'data/chunk-000/file-000.parquet', size: 1_048_576},
		],
		readme: `# ${path}\n\nRecorded with **two cameras**.`,
	});
};

export const datasetDefinition: Handler = call => {
	checkAccount(call);
	const id = pathUuid(call, 'def_id');
	if (!call.state.definitions.has(id)) throw new Refusal(404, 'Unknown dataset definition');
	return ok(call.state.definitions.get(id));
};
