import {useEffect, useLayoutEffect, useMemo} from 'react';
import {useStore} from 'zustand';
import type {DialogRow} from '../../components/dialog.tsx';
import {type KeyOf, keySentence} from '../../components/key-words.ts';
import {type Screen, useScreen} from '../../components/screen.tsx';
import {frameSides} from '../../contract/local-frames.ts';
import {useShownPictures} from '../../hooks/pictures.tsx';
import type {CameraFrameKnown, CameraWanted} from '../../store/finetune/camera-frames.ts';
import {choiceOf, suggested} from '../../store/finetune/cameras.ts';
import type {FinetuneController, FinetuneState} from '../../store/finetune/finetune-controller.ts';
import type {FinetuneKnown} from '../../store/finetune/finetune-facts.ts';
import {layAlone, type PictureLayout, picturesOff, wantedPictures} from '../pictures/picture-layout.ts';
import {createBlockRows, pictureLines} from '../pictures/picture-lines.ts';
import type {EnteredRow} from './form-page.ts';

/** Fewer rows show nothing of a picture. */
const fewestRows = 4;

/** More of them only push the fields apart. */
const mostRows = 16;

/** The camera of the slot that a row is about: the one that was chosen, or is offered. */
export function cameraAt(
	{form}: FinetuneState,
	{images}: FinetuneKnown,
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

/** True if frames show: over a slow link, only once the user has asked for them. */
export function showsFrames({isOn}: CameraFrameKnown, {drawing}: Screen): boolean {
	return isOn ?? !drawing.remote;
}

type FrameLook = {
	/** Frames have a place on the page that shows. */
	readonly hasPlace: boolean;
	readonly width: number;
	/** Those that the fields leave. */
	readonly rows: number;
	readonly keyOf: KeyOf;
};

const blank: DialogRow = {segments: []};

const nothing: PictureLayout = {rows: [], height: 0, room: 1, words: []};

/**
 * Looks at the camera that the cursor is at, and draws what it sees in rows below the slots: as many for each camera once
 * one has shown a picture, so that nothing moves from then on.
 */
export function useFrameRows(
	{frames}: FinetuneController,
	wanted: CameraWanted | undefined,
	{hasPlace, width, rows, keyOf}: FrameLook,
): readonly DialogRow[] {
	const screen = useScreen();
	const known = useStore(frames.known);
	const drawn = useStore(frames.drawn.known);
	const isOn = hasPlace && showsFrames(known, screen);
	const {way, board} = useShownPictures(isOn) ?? {};
	const {datasetId, camera} = wanted ?? {};
	const side = way?.kind === 'blocks' ? frameSides.default : frameSides.max;
	const isLooking = isOn && way !== undefined && way.kind !== 'off';
	useEffect(() => {
		const isThere = isLooking && datasetId !== undefined && camera !== undefined;
		frames.look(isThere ? {datasetId, camera} : undefined, side);
	}, [frames, isLooking, side, datasetId, camera]);
	useEffect(
		() => () => {
			frames.look(undefined);
			frames.drawn.keep(new Set());
		},
		[frames],
	);

	const height = Math.min(rows, mostRows);
	const lines = height - 1;
	const room = Math.max(1, width - 2);
	const mostCells = board?.mostCells ?? Number.POSITIVE_INFINITY;
	const {picture, hasShown} = known;
	const hasRoom = rows >= fewestRows;
	const layout = useMemo(() => {
		if (!isLooking || !hasRoom || picture === undefined || camera === undefined) return nothing;
		return layAlone(picture, room, {lines, drawing: screen.drawing, way, mostCells});
	}, [isLooking, hasRoom, picture, camera, room, lines, screen, way, mostCells]);
	// Before anything is drawn: else it would show as half blocks for a moment.
	useLayoutEffect(() => {
		const pictures = layout.rows.flatMap(row => row.pictures.flatMap(({picture: {pixels}}) => pixels ?? []));
		frames.drawn.keep(new Set(pictures));
		if (way !== undefined && board !== undefined) {
			frames.drawn.want(board, wantedPictures(layout, way, {from: 0, lines}));
		}
	}, [frames, way, board, layout, lines]);
	const blocks = useMemo(() => createBlockRows(screen), [screen]);

	if (!hasPlace || rows < 1) return [];
	const said = (text: string): DialogRow => ({segments: [' ', screen.cell(text, room, {role: 'dim'})]});
	if (!isOn) {
		const hint = keySentence(keyOf, [['launch.frames', 'shows what the camera sees']]);
		return [wanted === undefined ? blank : said(hint)];
	}
	if (way?.kind === 'off') return [said(picturesOff)];
	if (!hasRoom) return [];
	const block = layout === nothing ? [] : pictureLines(layout, {screen, blocks, from: 0, lines, drawn});
	const length = hasShown ? height : Math.min(height, block.length + 1);
	return Array.from({length}, (_, row) => {
		const segments = block[row - 1];
		return segments === undefined ? blank : {segments};
	});
}
