import type {CameraSlots} from '../../../contract/camera-slots.ts';
import type {HyperparameterRule, HyperparameterTable} from './hyperparameter.ts';

/** A VLA type as LeRobot's policy configuration has it. */
export type VlaTypeFacts = {
	/** What `--policy.type` calls it. */
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
	readonly hyperparameters: HyperparameterTable;
	readonly rules: readonly HyperparameterRule[];
};
