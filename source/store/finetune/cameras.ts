import {cameraSlots} from '../../contract/camera-slots.ts';
import type {VlaType} from '../../contract/vocabulary.ts';
import type {CameraChoice, Draft} from './draft.ts';

/** A dataset's image keys, and their shapes if the service gives them. */
export type ImageKeys = {
	readonly keys: readonly string[];
	readonly shapes: ReadonlyMap<string, string>;
};

/** The last part of a key, which is what people call the camera. */
const shortName = (key: string) => key.split('.').at(-1) ?? key;

/** The camera slots of a type: its own, or one for each image key of the dataset. */
function slotsOf(type: VlaType, keys: readonly string[]): readonly string[] {
	const slots = cameraSlots[type];
	if (slots.kind === 'named') return slots.slots;
	if (slots.kind === 'one') return [slots.slot];
	const short = keys.map(shortName);
	return short.map((name, at) =>
		short.indexOf(name) === short.lastIndexOf(name) ? name : (keys[at] ?? name),
	);
}

/** The slots that a draft is asked about: those of its type, and others that it names already, as those of another job. */
export function slotsFor(
	{vlaType, cameras}: Pick<Draft, 'vlaType' | 'cameras'>,
	keys: readonly string[],
): readonly string[] {
	return vlaType === undefined ? [] : [...new Set([...slotsOf(vlaType, keys), ...Object.keys(cameras)])];
}

/** Names that cameras of the same place go by. */
const places: readonly (readonly string[])[] = [
	['base', 'top', 'front', 'head', 'high', 'overhead', 'main', 'scene', 'exterior', 'cam', 'image', 'laptop'],
	['wrist', 'hand', 'gripper', 'ego'],
];

const wordsOf = (name: string) =>
	shortName(name)
		.toLowerCase()
		.split(/[^a-z]+/)
		.filter(word => word !== '' && word !== 'rgb');

/** How well a key's name fits a slot's; below 0 where it is the other side's. */
function likeness(slot: string, key: string): number {
	const [of, has] = [wordsOf(slot), wordsOf(key)];
	if (shortName(slot) === shortName(key)) return 10;
	if ((of.includes('left') && has.includes('right')) || (of.includes('right') && has.includes('left')))
		return -1;
	const shared = of.filter(word => has.includes(word)).length;
	const near = places.some(
		names => names.some(name => of.includes(name)) && names.some(name => has.includes(name)),
	);
	return 2 * shared + (near ? 1 : 0);
}

/**
 * The suggestion for each slot: the key whose name fits best, each key once; numbered slots take the keys in their order.
 * A slot that no name fits is offered nothing: a camera at the wrong place trains a wrong model without any sign of it.
 */
export function suggested(type: VlaType, keys: readonly string[]): Readonly<Record<string, string>> {
	const slots = slotsOf(type, keys);
	if (cameraSlots[type].kind === 'free') {
		return Object.fromEntries(slots.map((slot, at) => [slot, keys[at] ?? '']));
	}
	if (cameraSlots[type].kind === 'one') {
		const best = keys.toSorted((a, b) => likeness('front', b) - likeness('front', a))[0];
		return best === undefined ? {} : {[slots[0] ?? '']: best};
	}
	const pairs = slots.flatMap((slot, at) =>
		keys.map((key, place) => {
			const isNumbered = /^camera\d+$/.test(slot);
			return {slot, key, fits: isNumbered ? (at === place ? 1 : 0) : likeness(slot, key)};
		}),
	);
	const offered: Record<string, string> = {};
	for (const {slot, key, fits} of pairs.toSorted((a, b) => b.fits - a.fits)) {
		if (fits > 0 && !(slot in offered) && !Object.values(offered).includes(key)) offered[slot] = key;
	}
	return offered;
}

/** The choice that a slot shows: the user's, or else the suggestion; undefined if there is neither. */
export function choiceOf(
	draft: Pick<Draft, 'cameras' | 'othersUnused'>,
	slot: string,
	offered: Readonly<Record<string, string>>,
): CameraChoice | undefined {
	const said = Object.hasOwn(draft.cameras, slot) ? draft.cameras[slot] : undefined;
	if (said !== undefined) return said;
	if (draft.othersUnused) return {key: null, isConfirmed: true};
	const key = Object.hasOwn(offered, slot) ? offered[slot] : undefined;
	return key === undefined ? undefined : {key, isConfirmed: false};
}

/** The next of what a slot can have: each image key, then unused. */
export function nextChoice(
	keys: readonly string[],
	choice: CameraChoice | undefined,
	by: 1 | -1,
): CameraChoice {
	const all: readonly (string | null)[] = [...keys, null];
	const at = choice === undefined ? (by === 1 ? -1 : 0) : all.indexOf(choice.key);
	return {key: all[(at + by + all.length) % all.length] ?? null, isConfirmed: false};
}

/** Why a dataset with these image keys cannot serve a type; undefined where it can, as far as is known here. */
export function unfitReason(type: VlaType, images: ImageKeys): string | undefined {
	const slots = cameraSlots[type];
	if (images.keys.length > 0) return undefined;
	if (slots.kind === 'free' && slots.orEnvironmentState) return undefined;
	return `${type} needs at least one camera, and the dataset has no image key`;
}

/** A note about a type before it is chosen, beyond whether it can be. */
export function typeNote(type: VlaType, images: ImageKeys): string {
	const slots = cameraSlots[type];
	const {keys} = images;
	if (slots.kind === 'one') return 'a reward model; uses one camera';
	if (slots.kind === 'free') {
		if (keys.length === 0) return 'no camera here: needs observation.environment_state';
		return 'uses the cameras under their own names';
	}
	const count = slots.slots.length;
	return keys.length < count
		? `${count} camera slots, ${count - keys.length} of them unused`
		: `${count} camera slots`;
}
