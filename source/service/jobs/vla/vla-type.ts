import type {CameraSlots} from '../../../contract/camera-slots.ts';
import type {HyperparameterRule, HyperparameterTable} from './hyperparameter.ts';

export type ImageDemand = {
	readonly least: number;
	readonly most?: number;
	/** Enough by itself, in place of an image. */
	readonly orEnvironmentState?: boolean;
	readonly isSquare?: boolean;
	readonly sameShape?: boolean;
	/** The height and width that it cuts out of every image, unless its `crop_shape` says otherwise. */
	readonly crop?: readonly [number, number];
};

/** A VLA type as LeRobot's policy configuration has it. */
export type VlaTypeFacts = {
	/** Its name for `--policy.type` or `--reward_model.type`. */
	readonly policyType: string;
	/** The usual base model, for words only. */
	readonly baseModel: string;
	/** Section 4.14: whether a fine-tune must name its base model. */
	readonly needsModel: boolean;
	/**
	 * How a base model is given: `path` takes its whole configuration and its camera names along, a field's name gives
	 * it to a policy that is laid out anew.
	 */
	readonly modelBy: 'path' | 'base_model_path';
	readonly cameras: CameraSlots;
	/** The fields that bound the dataset's dimensions, where more than that many end the trainer. */
	readonly dims?: {readonly state?: string; readonly action?: string};
	/** Its demands on the dataset's own images, which all go in where it is laid out anew. */
	readonly images?: ImageDemand;
	/** It ends where the dataset has no `observation.state`. */
	readonly needsState?: boolean;
	/** The most dimensions that it has room for, where no field bounds them. */
	readonly mostDims?: number;
	/** The fields that the dataset's dimensions must equal, with their defaults. */
	readonly exactDims?: Readonly<Record<'state' | 'action', readonly [field: string, usual: number]>>;
	readonly hyperparameters: HyperparameterTable;
	readonly rules: readonly HyperparameterRule[];
};
