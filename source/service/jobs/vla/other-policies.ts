import {actionStepsWithinChunk} from './hyperparameter.ts';
import type {ImageDemand, VlaTypeFacts} from './vla-type.ts';

/** A policy or reward model of LeRobot that is none of the interface's types. */
type OtherType = {
	/** The usual base model, or what it begins with. */
	readonly base: string;
	readonly images?: ImageDemand;
	readonly mostDims?: number;
	readonly needsState?: boolean;
	readonly exactDims?: VlaTypeFacts['exactDims'];
	readonly modelBy?: VlaTypeFacts['modelBy'];
	/** Why `lerobot-train` does not train it. */
	readonly untrained?: string;
};

const anImage: ImageDemand = {least: 1};
const oneShape: ImageDemand = {least: 1, orEnvironmentState: true, sameShape: true};

const others: Readonly<Record<string, OtherType>> = {
	diffusion: {base: 'none: it begins with a resnet18', images: oneShape},
	multi_task_dit: {base: 'none: it looks through CLIP', images: {least: 1, sameShape: true}},
	vqbet: {base: 'none: it begins with a resnet18', images: {least: 1, most: 1, crop: [84, 84]}},
	tdmpc: {base: 'none', images: {least: 0, most: 1, isSquare: true}},
	pi0_fast: {base: 'lerobot/pi0fast-base', images: anImage},
	groot: {
		base: 'nvidia/GR00T-N1.7-3B',
		images: anImage,
		mostDims: 132,
		modelBy: 'base_model_path',
	},
	xvla: {base: 'lerobot/xvla-base', images: anImage, needsState: true},
	wall_x: {base: 'x-square-robot/wall-oss-flow', images: anImage, mostDims: 20},
	eo1: {base: 'none: it begins with Qwen/Qwen2.5-VL-3B-Instruct', images: anImage},
	evo1: {
		base: 'none: it begins with OpenGVLab/InternVL3-1B-hf',
		images: {least: 1, most: 3},
		mostDims: 24,
		needsState: true,
	},
	molmoact2: {base: 'allenai/MolmoAct2', images: anImage},
	vla_jepa: {base: 'none: it begins with Qwen/Qwen3-VL-2B-Instruct', images: anImage},
	fastwam: {
		base: 'lerobot/fastwam_base',
		images: anImage,
		exactDims: {state: ['proprio_dim', 8], action: ['action_dim', 7]},
	},
	lingbot_va: {base: 'robbyant/lingbot-va-base', images: anImage},
	gaussian_actor: {base: 'none', untrained: 'an actor learns beside a robot (LeRobot’s HIL-SERL)'},
	sac: {base: 'none', untrained: 'it learns beside a robot (LeRobot’s HIL-SERL)'},
	reward_classifier: {base: 'none: it begins with lerobot/resnet10', images: anImage},
	robometer: {base: 'lerobot/Robometer-4B', untrained: 'it is used as it is'},
	topreward: {base: 'Qwen/Qwen3-VL-8B-Instruct', untrained: 'it is used as it is'},
};

/** Why `lerobot-train` does not train a type; undefined where it does. */
export const untrainedReason = (type: string): string | undefined => others[type]?.untrained;

/** The facts of a type beyond the interface's; for an unknown type, those that hold for any. */
export function otherTypeFacts(type: string): VlaTypeFacts {
	const {
		base,
		images = {least: 0},
		mostDims,
		needsState = false,
		exactDims,
		modelBy = 'path',
	} = others[type] ?? {base: 'not known'};
	return {
		policyType: type,
		baseModel: base,
		needsModel: false,
		modelBy,
		cameras: {kind: 'free', orEnvironmentState: true},
		images,
		needsState,
		...(mostDims !== undefined && {mostDims}),
		...(exactDims !== undefined && {exactDims}),
		hyperparameters: {},
		rules: [actionStepsWithinChunk],
	};
}
