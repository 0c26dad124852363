import type {VlaType} from './vocabulary.ts';

/** How a VLA type's cameras are named. */
export type CameraSlots =
	/** The slots that its base model was trained with; those left out are filled with empty pictures. */
	| {readonly kind: 'named'; readonly slots: readonly string[]}
	/** Any names: the model is laid out by the dataset's own keys. */
	| {readonly kind: 'free'; readonly orEnvironmentState: boolean}
	/** One picture, under this name. */
	| {readonly kind: 'one'; readonly slot: string};

const piSlots = {
	kind: 'named',
	slots: ['base_0_rgb', 'left_wrist_0_rgb', 'right_wrist_0_rgb'],
} as const;

/**
 * Section 4.3: "vla_type determines camera slot configuration", which the document does not show. These are the slots of
 * LeRobot's policies, which the embedded service goes by; a hosted one may have others, and its word counts.
 */
export const cameraSlots: Readonly<Record<VlaType, CameraSlots>> = {
	act: {kind: 'free', orEnvironmentState: true},
	smolvla: {kind: 'named', slots: ['camera1', 'camera2', 'camera3']},
	pi0: piSlots,
	pi05: piSlots,
	gr00t_n1_5: {kind: 'free', orEnvironmentState: false},
	sarm: {kind: 'one', slot: 'image_key'},
};
