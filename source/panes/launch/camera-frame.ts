import {useEffect} from 'react';
import {useStore} from 'zustand';
import type {DialogRow} from '../../components/dialog.tsx';
import {type KeyOf, keySentence} from '../../components/key-words.ts';
import {type Screen, useScreen} from '../../components/screen.tsx';
import {choiceOf, suggested} from '../../store/launch/cameras.ts';
import type {LaunchDesk, LaunchState} from '../../store/launch/launch-desk.ts';
import type {LaunchKnown} from '../../store/launch/launch-facts.ts';
import type {CameraFrameKnown, CameraWanted} from '../../store/pictures/camera-frames.ts';
import {pictureBlock} from '../pictures/picture-lines.ts';
import type {EnteredRow} from './launch-row.ts';

/** Fewer rows show nothing of a picture. */
const fewestRows = 4;

/** More of them only push the fields apart. */
const mostRows = 16;

/** The camera of the slot that a row is about: the one that was chosen, or is offered. */
export function cameraAt(
	{form}: LaunchState,
	{images}: LaunchKnown,
	row: EnteredRow | undefined,
): CameraWanted | undefined {
	const {draft, step} = form;
	const {vlaType, dataset} = draft;
	const slot = row?.kind === 'cycle' ? /^camera_mappings\.(.+)$/s.exec(row.id)?.[1] : undefined;
	if (step !== 'cameras' || slot === undefined || vlaType === undefined || dataset === undefined)
		return undefined;
	if (images.state !== 'read') return undefined;
	const camera = choiceOf(draft, slot, suggested(vlaType, images.value.keys))?.key;
	return camera == null || !images.value.keys.includes(camera) ? undefined : {datasetId: dataset.id, camera};
}

/** Whether frames show: over a link that may be slow only once somebody has asked for them. */
export function showsFrames({isOn}: CameraFrameKnown, {drawing}: Screen): boolean {
	return isOn ?? !drawing.remote;
}

/** Looks at the camera that the cursor is at; what it sees is drawn by {@link frameRows}. */
export function useCameraFrame({frames}: LaunchDesk, wanted: CameraWanted | undefined): CameraFrameKnown {
	const screen = useScreen();
	const known = useStore(frames.known);
	const isOn = showsFrames(known, screen);
	const {datasetId, camera} = wanted ?? {};
	useEffect(() => {
		const isLooked = isOn && datasetId !== undefined && camera !== undefined;
		frames.look(isLooked ? {datasetId, camera} : undefined);
	}, [frames, isOn, datasetId, camera]);
	useEffect(() => () => frames.look(undefined), [frames]);
	return known;
}

type FrameLook = {
	readonly screen: Screen;
	readonly width: number;
	/** Those that the fields leave. */
	readonly rows: number;
	readonly keyOf: KeyOf;
};

/** The rows below the slots: as many for each camera once one has shown a picture, so that nothing moves from then on. */
export function frameRows(
	known: CameraFrameKnown,
	wanted: CameraWanted | undefined,
	{screen, width, rows, keyOf}: FrameLook,
): readonly DialogRow[] {
	const blank: DialogRow = {segments: []};
	if (!showsFrames(known, screen)) {
		const words =
			wanted === undefined ? '' : keySentence(keyOf, [['launch.frames', 'shows what the camera sees']]);
		return rows > 0 ? [{segments: [' ', {text: words, role: 'dim'}]}] : [];
	}
	if (rows < fewestRows) return [];
	const height = Math.min(rows, mostRows);
	const room = Math.max(1, width - 2);
	const {picture} = known;
	const block =
		wanted === undefined || picture === undefined
			? []
			: pictureBlock(picture, room, {screen, rows: height - 1});
	const lines = block.slice(0, height - 1).map((segments): DialogRow => ({segments: [' ', ...segments]}));
	const length = known.hasShown ? height : Math.min(height, lines.length + 1);
	return Array.from({length}, (_, row) => lines[row - 1] ?? blank);
}
