import type {CameraSlots} from '../../../contract/camera-slots.ts';
import type {DatasetDetails} from '../../lake/engine.ts';
import type {FinetuneOrder} from '../records/job.ts';
import type {ImageDemand} from '../vla/vla-type.ts';
import {typeFacts} from '../vla/vla-types.ts';
import {named, type OrderProblem} from './problem.ts';

/** LeRobot's prefix of image features, which a slot's name may be written with or without. */
const imagePrefix = 'observation.images.';

/** `camera1` → `observation.images.camera1`: a slot as the trainer's policy spells it. */
export const policyKey = (slot: string): string =>
	slot.startsWith('observation.') ? slot : `${imagePrefix}${slot}`;

const shortSlot = (slot: string) => (slot.startsWith(imagePrefix) ? slot.slice(imagePrefix.length) : slot);

type Mapping = readonly (readonly [slot: string, key: string])[];

function valueProblems(mapping: Mapping, dataset: DatasetDetails): OrderProblem[] {
	return mapping
		.filter(([, key]) => !dataset.cameras.includes(key))
		.map(([slot, key]) => ({
			field: `camera_mappings.${slot}`,
			message: `${dataset.dataset_name} has no image key ${JSON.stringify(key)}; its image keys are ${named(dataset.cameras)}`,
		}));
}

/** The trainer renames dataset keys to slots, so that no key can fill two of them. */
function sharedKeyProblems(mapping: Mapping): OrderProblem[] {
	return mapping.flatMap(([slot, key], at) => {
		const earlier = mapping.slice(0, at).find(other => other[1] === key);
		if (!earlier) return [];
		return [
			{
				field: `camera_mappings.${slot}`,
				message: `${JSON.stringify(key)} is mapped to ${earlier[0]} already; an image key fills one slot`,
			},
		];
	});
}

function namedSlotProblems(
	type: string,
	slots: readonly string[],
	mapping: Mapping,
	{dataset_name, cameras}: DatasetDetails,
): OrderProblem[] {
	const strangers = mapping.filter(([slot]) => !slots.includes(shortSlot(slot)));
	const problems = strangers.map(([slot]) => ({
		field: `camera_mappings.${slot}`,
		message: `${type} has no camera slot ${JSON.stringify(slot)}; its slots are ${named(slots)}`,
	}));
	const doubled = mapping.filter(([slot], at) =>
		mapping.slice(0, at).some(([other]) => shortSlot(other) === shortSlot(slot)),
	);
	problems.push(
		...doubled.map(([slot]) => ({
			field: `camera_mappings.${slot}`,
			message: `the slot ${shortSlot(slot)} is mapped twice, once with the prefix ${imagePrefix}`,
		})),
	);
	if (mapping.length === 0) {
		problems.push({
			field: 'camera_mappings',
			message: `${type} needs at least one of its slots ${named(slots)} mapped to an image key; ${dataset_name} has ${named(cameras)}`,
		});
	}
	return problems;
}

function freeSlotProblems(
	type: string,
	{orEnvironmentState}: Extract<CameraSlots, {kind: 'free'}>,
	mapping: Mapping,
	dataset: DatasetDetails,
): OrderProblem[] {
	const {dataset_name, cameras, features} = dataset;
	// Nothing is to be mapped where it is told what is demanded of the dataset's own.
	if (mapping.length === 0 && typeFacts(type).images) return [];
	if (mapping.length === 0 && !(orEnvironmentState && features['observation.environment_state'])) {
		const message = `${type} needs at least one image; map any slot name to an image key of ${dataset_name}, which has ${named(cameras)}`;
		return [{field: 'camera_mappings', message}];
	}
	return [];
}

/** The image key that a reward model looks at, and all that were named for it. */
export function sarmImageKey(order: FinetuneOrder): {key: string | undefined; given: Mapping} {
	const mapped = Object.entries(order.camera_mappings).find(([slot]) => slot === 'image_key');
	const hyper = order.vla_hyper_spec?.image_key;
	const given: Mapping = [
		...(order.sarm_image_observation_key === undefined
			? []
			: [['sarm_image_observation_key', order.sarm_image_observation_key] as const]),
		...(mapped ? [['camera_mappings.image_key', mapped[1]] as const] : []),
		...(typeof hyper === 'string' ? [['vla_hyper_spec.image_key', hyper] as const] : []),
	];
	return {key: given[0]?.[1], given};
}

function oneSlotProblems(order: FinetuneOrder, slot: string, dataset: DatasetDetails): OrderProblem[] {
	const {dataset_name, cameras} = dataset;
	const problems: OrderProblem[] = Object.keys(order.camera_mappings)
		.filter(name => name !== slot)
		.map(name => ({
			field: `camera_mappings.${name}`,
			message: `${order.vla_type} looks at one image and has no slot but ${slot}`,
		}));
	const {key, given} = sarmImageKey(order);
	if (key === undefined) {
		const message = `${order.vla_type} needs the image key that it looks at; ${dataset_name} has ${named(cameras)}`;
		return [...problems, {field: 'sarm_image_observation_key', message}];
	}
	const strangers = given.filter(
		([field, value]) => !field.startsWith('camera_') && !cameras.includes(value),
	);
	problems.push(
		...strangers.map(([field, value]) => ({
			field,
			message: `${dataset_name} has no image key ${JSON.stringify(value)}; its image keys are ${named(cameras)}`,
		})),
	);
	const other = given.find(([, value]) => value !== key);
	if (other) {
		const message = `it says ${JSON.stringify(other[1])}, and ${given[0]?.[0]} says ${JSON.stringify(key)}; a reward model looks at one image`;
		problems.push({field: other[0], message});
	}
	return problems;
}

/** Section 4.3: what is wrong with the cameras of a fine-tune, against its type's slots and its dataset's keys. */
export function cameraProblems(order: FinetuneOrder, dataset: DatasetDetails): OrderProblem[] {
	const {vla_type: type, sarm_image_observation_key: sarmKey} = order;
	const {cameras} = typeFacts(type);
	const mapping = Object.entries(order.camera_mappings);
	const problems = [...valueProblems(mapping, dataset), ...sharedKeyProblems(mapping)];
	if (cameras.kind === 'one') return [...problems, ...oneSlotProblems(order, cameras.slot, dataset)];
	if (cameras.kind === 'named') problems.push(...namedSlotProblems(type, cameras.slots, mapping, dataset));
	else problems.push(...freeSlotProblems(type, cameras, mapping, dataset));
	if (sarmKey !== undefined && !dataset.cameras.includes(sarmKey)) {
		const message = `${dataset.dataset_name} has no image key ${JSON.stringify(sarmKey)}; its image keys are ${named(dataset.cameras)}`;
		problems.push({field: 'sarm_image_observation_key', message});
	}
	return problems;
}

/** The height and width that are cut out of an image; zeros for none. */
function cropOf({vla_hyper_spec = {}}: FinetuneOrder, {crop}: ImageDemand): readonly [number, number] {
	const given = Object.hasOwn(vla_hyper_spec, 'crop_shape') ? vla_hyper_spec.crop_shape : crop;
	const [height, width] = Array.isArray(given) ? given.map(Number) : [];
	return [height ?? 0, width ?? 0];
}

/** LeRobot asks the third name of each camera of a policy's dataset whether it is the channels. */
export function cameraNameProblems({
	dataset_name,
	cameras,
	features,
	folder,
}: DatasetDetails): OrderProblem[] {
	const unnamed = cameras.find(key => {
		const {names, shape} = features[key] ?? {};
		return !Array.isArray(names) || names.length < 3 || shape?.length !== 3;
	});
	if (unnamed === undefined) return [];
	const message = `${unnamed} of ${dataset_name} has no names of its height, width and channels, and LeRobot's training ends with a TypeError: lakescope repair ${folder} camera-names-missing writes them`;
	return [{field: 'dataset_id', message}];
}

/**
 * The demands on its images of a policy that the dataset lays out: LeRobot looks at all of them, whatever was mapped.
 * The images of a base model are its own.
 */
export function imageProblems(
	order: FinetuneOrder,
	{dataset_name, cameras, features}: DatasetDetails,
): OrderProblem[] {
	const {vla_type: type} = order;
	const {images, modelBy, needsState} = typeFacts(type);
	if (images === undefined || (order.model_id && modelBy === 'path')) return [];
	const shapes = cameras.map(key => features[key]?.shape ?? []);
	const problem = (message: string) => [{field: 'dataset_id', message}];
	const {least, most = Number.POSITIVE_INFINITY} = images;
	const isReplaced = images.orEnvironmentState && features['observation.environment_state'] !== undefined;
	if (cameras.length < least && !isReplaced) {
		return problem(`${type} needs at least one image, and ${dataset_name} has none`);
	}
	if (cameras.length > most) {
		return problem(
			`${type} takes at most ${most} ${most === 1 ? 'image' : 'images'}, and ${dataset_name} has ${named(cameras)}`,
		);
	}
	if (needsState && features['observation.state'] === undefined) {
		return problem(`${type} needs observation.state, and ${dataset_name} has none`);
	}
	const [height, width] = cropOf(order, images);
	const small = shapes.findIndex(([itsHeight = 0, itsWidth = 0]) => itsHeight < height || itsWidth < width);
	if (small >= 0) {
		return problem(
			`${type} cuts ${height} × ${width} out of an image (crop_shape), and ${cameras[small]} of ${dataset_name} is ${shapes[small]?.slice(0, 2).join(' × ')}`,
		);
	}
	if (images.sameShape && new Set(shapes.map(shape => JSON.stringify(shape))).size > 1) {
		return problem(`${type} takes images of one shape, and those of ${dataset_name} are of several`);
	}
	const isSquare = ([height, width]: readonly number[]) => height === width;
	if (images.isSquare && !shapes.every(isSquare)) {
		return problem(`${type} takes square images, and those of ${dataset_name} are not`);
	}
	return [];
}

/** The slots of a type that a mapping leaves without a camera; the trainer fills them with empty pictures. */
export function emptySlots({
	vla_type,
	camera_mappings,
}: Pick<FinetuneOrder, 'vla_type' | 'camera_mappings'>): number {
	const {cameras} = typeFacts(vla_type);
	return cameras.kind === 'named' ? cameras.slots.length - Object.keys(camera_mappings).length : 0;
}
