import type {DatasetDetails} from '../../lake/engine.ts';
import type {FinetuneOrder} from '../records/job.ts';
import {untrainedReason} from '../vla/other-policies.ts';
import {isAtLeast, type Lerobot, lerobotName, registryOf, releasesWith} from '../vla/releases.ts';
import {heldOutFlags} from '../vla/trainer-settings.ts';
import {hyperparameterDefaults, validateHyperparameters} from '../vla/validate-hyperparameters.ts';
import {isVlaType, typeFacts} from '../vla/vla-types.ts';
import {cameraNameProblems, cameraProblems, imageProblems} from './camera-rules.ts';
import type {OrderProblem} from './problem.ts';
import {dimsOf, progressFileOf} from './training-dataset.ts';

const lineText = /^\P{Cc}{1,1024}$/u;

function modelProblems({vla_type, model_id}: FinetuneOrder): OrderProblem[] {
	const {needsModel, baseModel} = typeFacts(vla_type);
	if (model_id === undefined || model_id === '') {
		if (!needsModel) return [];
		return [{field: 'model_id', message: `${vla_type} needs a base model, as ${baseModel} is`}];
	}
	if (lineText.test(model_id)) return [];
	return [{field: 'model_id', message: 'it must be 1 to 1024 characters without control characters'}];
}

function hyperparameterProblems(
	{vla_type, vla_hyper_spec = {}}: FinetuneOrder,
	lerobot: Lerobot | undefined,
): OrderProblem[] {
	return validateHyperparameters(vla_type, vla_hyper_spec, fieldsOf(vla_type, lerobot)).map(
		({field, message}) => ({field: `vla_hyper_spec.${field}`, message}),
	);
}

/** LeRobot looks at held-out episodes only where some are held out. */
function heldOutProblems({vla_hyper_spec = {}}: FinetuneOrder): OrderProblem[] {
	const {eval_steps, eval_split} = vla_hyper_spec;
	if (!eval_steps || eval_split) return [];
	const message = 'it needs an eval_split above 0, the part of the episodes that is held out';
	return [{field: 'vla_hyper_spec.eval_steps', message}];
}

/** The fields of a type's installed configuration, where that can be read. */
export function fieldsOf(type: string, lerobot: Lerobot | undefined) {
	const {policyType} = typeFacts(type);
	const registry = lerobot && registryOf(lerobot, policyType);
	return registry && lerobot.configurations?.[registry][policyType];
}

/** The problem that the installed LeRobot refuses, with the releases that do not. */
function releaseProblems(
	{vla_type, model_id, vla_hyper_spec = {}}: FinetuneOrder,
	lerobot: Lerobot,
): OrderProblem[] {
	const name = lerobotName(lerobot);
	const isSix = isAtLeast(lerobot.release, '0.6.0');
	const {policyType} = typeFacts(vla_type);
	const problems: OrderProblem[] = [];
	const field = isVlaType(vla_type) ? 'vla_type' : 'policy';
	if (vla_type === 'gr00t_n1_5' && isSix) {
		const message = `${name} has only GR00T N1.7 and refuses N1.5, which LeRobot 0.5.1 trains; N1.7 is its policy groot, which POST /local/v1/finetune takes`;
		problems.push({field, message});
	} else if (registryOf(lerobot, policyType) === undefined) {
		const others = releasesWith(policyType);
		const message = `${name} has no ${policyType}; ${others ? `${others} ${others.includes('later') ? 'have' : 'has'} it` : 'no LeRobot that is known here has it'}`;
		problems.push({field, message});
	}
	if (policyType === 'groot' && isSix && /n1[._d]?5/i.test(model_id ?? '') && vla_type !== 'gr00t_n1_5') {
		const message = `${name} refuses models of GR00T N1.5, which LeRobot 0.5.1 trains`;
		problems.push({field: 'model_id', message});
	}
	const untrained = untrainedReason(policyType);
	if (untrained !== undefined && problems.length === 0) {
		problems.push({field, message: `lerobot-train does not train ${policyType}: ${untrained}`});
	}
	for (const setting of Object.keys(vla_hyper_spec)) {
		if (isSix || !Object.hasOwn(heldOutFlags, setting)) continue;
		const message = `${name} does not know --${heldOutFlags[setting]}; LeRobot 0.6.0 and later know it`;
		problems.push({field: `vla_hyper_spec.${setting}`, message});
	}
	return problems;
}

/** The dimensions that a type has room for, where no field of its own bounds them. */
function mostOf({vla_type}: FinetuneOrder, lerobot: Lerobot | undefined) {
	// The groot of LeRobot 0.5.1 is N1.5.
	if (vla_type === 'groot' && lerobot && !isAtLeast(lerobot.release, '0.6.0')) return {state: 64, action: 32};
	const {mostDims} = typeFacts(vla_type);
	return mostDims === undefined ? undefined : {state: mostDims, action: mostDims};
}

/** Dimensions beyond what the model has room for end the trainer. */
function dimensionProblems(
	order: FinetuneOrder,
	dataset: DatasetDetails,
	lerobot: Lerobot | undefined,
): OrderProblem[] {
	const {dims = {}, exactDims} = typeFacts(order.vla_type);
	const values = {...hyperparameterDefaults(order.vla_type), ...order.vla_hyper_spec};
	const features = {state: 'observation.state', action: 'action'} as const;
	return (['state', 'action'] as const).flatMap(stream => {
		const bound = dims[stream];
		const found = dimsOf(dataset, features[stream]);
		const most = Number(order.vla_hyper_spec?.[`max_${stream}_dim`] ?? mostOf(order, lerobot)?.[stream]);
		if (found !== undefined && found > most) {
			const message = `${dataset.dataset_name} has ${found} ${stream} dimensions, and ${order.vla_type} has room for ${most}`;
			return [{field: 'dataset_id', message}];
		}
		const [exact, usual] = exactDims?.[stream] ?? [];
		if (exact !== undefined && found !== Number(order.vla_hyper_spec?.[exact] ?? usual)) {
			const message = `${dataset.dataset_name} has ${found ?? 'no'} ${stream} dimensions, and ${exact} is ${String(order.vla_hyper_spec?.[exact] ?? usual)}`;
			return [{field: `vla_hyper_spec.${exact}`, message}];
		}
		if (bound === undefined || found === undefined || found <= Number(values[bound])) return [];
		const message = `${dataset.dataset_name} has ${found} ${stream} dimensions, and ${bound} is ${String(values[bound])}`;
		return [{field: `vla_hyper_spec.${bound}`, message}];
	});
}

/** Reward-aware cloning weighs the steps of a chunk by how far a reward model says that they got. */
function rewardProblems(
	order: FinetuneOrder,
	dataset: DatasetDetails,
	trains: boolean,
	fields: object | undefined,
): OrderProblem[] {
	if (!order.use_rabc) return [];
	const problems: OrderProblem[] = [];
	if (!('chunk_size' in {...typeFacts(order.vla_type).hyperparameters, ...fields})) {
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
 * @param lerobot which one that is, where it tells
 */
export function orderProblems(
	order: FinetuneOrder,
	dataset: DatasetDetails,
	trains: boolean,
	lerobot?: Lerobot,
): readonly OrderProblem[] {
	return [
		...datasetProblems(dataset, trains),
		...(lerobot ? releaseProblems(order, lerobot) : []),
		...modelProblems(order),
		...cameraProblems(order, dataset),
		...imageProblems(order, dataset),
		...(lerobot && registryOf(lerobot, typeFacts(order.vla_type).policyType) === 'policy'
			? cameraNameProblems(dataset)
			: []),
		...hyperparameterProblems(order, lerobot),
		...heldOutProblems(order),
		...dimensionProblems(order, dataset, lerobot),
		...rewardProblems(order, dataset, trains, fieldsOf(order.vla_type, lerobot)),
	];
}
