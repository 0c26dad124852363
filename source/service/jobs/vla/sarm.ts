import {cameraSlots} from '../../../contract/camera-slots.ts';
import {count, dropout} from './hyperparameter.ts';
import type {VlaTypeFacts} from './vla-type.ts';

export const sarm: VlaTypeFacts = {
	policyType: 'sarm',
	baseModel: 'none: it looks through CLIP',
	needsModel: false,
	modelBy: 'path',
	cameras: cameraSlots.sarm,
	hyperparameters: {
		annotation_mode: {
			kind: 'choice',
			values: ['single_stage', 'dense_only', 'dual'],
			default: 'single_stage',
		},
		n_obs_steps: count(8),
		frame_gap: count(30),
		max_state_dim: count(32),
		hidden_dim: count(768),
		dropout: dropout(0.1),
		image_key: {kind: 'text'},
	},
	rules: [],
};
