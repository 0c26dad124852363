import type {DatasetDetails} from '../../lake/engine.ts';
import type {FinetuneOrder} from '../records/job.ts';
import {hyperparameterDefaults, validateHyperparameters} from '../vla/validate-hyperparameters.ts';
import {vlaTypeFacts} from '../vla/vla-types.ts';
import {cameraProblems} from './camera-rules.ts';
import type {OrderProblem} from './problem.ts';
import {dimsOf, progressFileOf} from './training-dataset.ts';

const lineText = /^\P{Cc}{1,1024}$/u;

function modelProblems({vla_type, model_id}: FinetuneOrder): OrderProblem[] {
	const {needsModel, baseModel} = vlaTypeFacts[vla_type];
	if (model_id === undefined || model_id === '') {
		if (!needsModel) return [];
		return [{field: 'model_id', message: `${vla_type} needs a base model, as ${baseModel} is`}];
	}
	if (lineText.test(model_id)) return [];
	return [{field: 'model_id', message: 'it must be 1 to 1024 characters without control characters'}];
}

function hyperparameterProblems({vla_type, vla_hyper_spec = {}}: FinetuneOrder): OrderProblem[] {
	return validateHyperparameters(vla_type, vla_hyper_spec).map(({field, message}) => ({
		field: `vla_hyper_spec.${field}`,
		message,
	}));
}

/** Dimensions beyond what the model has room for end the trainer. */
function dimensionProblems(order: FinetuneOrder, dataset: DatasetDetails): OrderProblem[] {
	const {dims = {}} = vlaTypeFacts[order.vla_type];
	const values = {...hyperparameterDefaults(order.vla_type), ...order.vla_hyper_spec};
	const features = {state: 'observation.state', action: 'action'} as const;
	return (['state', 'action'] as const).flatMap(stream => {
		const bound = dims[stream];
		const found = dimsOf(dataset, features[stream]);
		if (bound === undefined || found === undefined || found <= Number(values[bound])) return [];
		const message = `${dataset.dataset_name} has ${found} ${stream} dimensions, and ${bound} is ${String(values[bound])}`;
		return [{field: `vla_hyper_spec.${bound}`, message}];
	});
}

/** Reward-aware cloning weighs the steps of a chunk by how far a reward model says that they got. */
function rewardProblems(order: FinetuneOrder, dataset: DatasetDetails, trains: boolean): OrderProblem[] {
	if (!order.use_rabc) return [];
	const problems: OrderProblem[] = [];
	if (!('chunk_size' in vlaTypeFacts[order.vla_type].hyperparameters)) {
		const message = `${order.vla_type} has no chunk_size, which reward-aware cloning weighs; it is for act, smolvla, pi0, pi05 and gr00t_n1_5`;
		problems.push({field: 'use_rabc', message});
	}
	if (order.rabc_head_mode !== 'sparse' && order.rabc_head_mode !== 'dense') {
		const both =
			order.rabc_head_mode === 'both' ? ' ("both" only makes sense where progress is computed)' : '';
		const message = `a training takes sparse or dense, not ${JSON.stringify(order.rabc_head_mode)}${both}`;
		problems.push({field: 'rabc_head_mode', message});
	}
	if (progressFileOf(dataset)) return problems;
	if (!order.sarm_reward_model_path) {
		const message = `use_rabc needs a reward model, or the progress that one computed: ${dataset.dataset_name} has no sarm_progress.parquet`;
		problems.push({field: 'sarm_reward_model_path', message});
	} else if (trains) {
		const message = `the trainer of this machine takes the progress, not the reward model: compute ${dataset.folder}/sarm_progress.parquet with it first (LeRobot's compute_rabc_weights)`;
		problems.push({field: 'sarm_reward_model_path', message});
	}
	return problems;
}

function datasetProblems(dataset: DatasetDetails, trains: boolean): OrderProblem[] {
	const {dataset_name, subtype, format} = dataset;
	if (subtype !== 'lerobot_v3') {
		return [{field: 'dataset_id', message: `${dataset_name} is ${subtype}; a training takes lerobot_v3`}];
	}
	if (!trains || format === null || format.startsWith('v3')) return [];
	const message = `${dataset_name} is stored in LeRobot's format ${format}, and the trainer reads v3.0: convert it first (lerobot's convert_dataset_v21_to_v30)`;
	return [{field: 'dataset_id', message}];
}

/**
 * Section 4.3: all that is wrong with a fine-tune against its dataset and its type.
 *
 * @param trains whether there is a trainer, whose own needs then count too
 */
export function orderProblems(
	order: FinetuneOrder,
	dataset: DatasetDetails,
	trains: boolean,
): readonly OrderProblem[] {
	return [
		...datasetProblems(dataset, trains),
		...modelProblems(order),
		...cameraProblems(order, dataset),
		...hyperparameterProblems(order),
		...dimensionProblems(order, dataset),
		...rewardProblems(order, dataset, trains),
	];
}
