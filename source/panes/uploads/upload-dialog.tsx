import {type ReactNode, useCallback, useEffect, useMemo, useState} from 'react';
import {Dialog, type DialogRow} from '../../components/dialog.tsx';
import {fieldSegments} from '../../components/field.ts';
import {useKeyOf} from '../../components/key-words.ts';
import {useScreen} from '../../components/screen.tsx';
import type {Role} from '../../components/theme.ts';
import {useExplorer} from '../../hooks/explorer.tsx';
import {useLineField} from '../../hooks/line-field.ts';
import {useListMouse, useListPosition} from '../../hooks/list-position.ts';
import type {Binding} from '../../input/binding.ts';
import {useBindings, useRouter} from '../../input/react.tsx';
import {listStart, movedBy, shownRows} from '../../store/state/list-location.ts';
import {overlaid} from '../../store/state/transitions.ts';
import {type ChooserSight, commonStart, lookAt} from '../../store/uploads/folder-chooser.ts';
import type {Progress, UploadCheck, Uploader} from '../../store/uploads/uploader.ts';
import {printableLines} from '../../terminal/printable.ts';
import {dialogKeys} from '../list/dialog-keys.ts';
import {checkingRow, checkRows, lookWords, sightWords} from './check-rows.ts';

type UploadDialogProps = {readonly width: number; readonly height: number};

type SessionManager =
	| {readonly at: 'folder'; readonly trouble: string | undefined}
	| {readonly at: 'checking'; readonly progress: Progress; readonly stop: AbortController}
	| {readonly at: 'checked'; readonly check: UploadCheck};

/** Nothing that the check found speaks against sending it. */
const isClean = ({refusal, blobsAlone, losses, problemCount}: UploadCheck) =>
	refusal === undefined && blobsAlone === undefined && losses.length === 0 && problemCount === 0;

const widest = 84;
const category = 'Upload';

/** Chooses a folder of this machine, shows what is in it and what an upload would come to, and begins that. */
export function UploadDialog(size: UploadDialogProps): ReactNode {
	const {uploader} = useExplorer().sending;
	return uploader === undefined ? null : <Chooser {...size} uploader={uploader} />;
}

function Chooser({width, height, uploader}: UploadDialogProps & {readonly uploader: Uploader}): ReactNode {
	const explorer = useExplorer();
	const screen = useScreen();
	const router = useRouter();
	const [stage, setStage] = useState<SessionManager>({at: 'folder', trouble: undefined});
	const [sight, setSight] = useState<ChooserSight | undefined>(undefined);
	const [text, setText] = useState(uploader.begin);
	const typed = useCallback((changed: {readonly text: string}) => setText(changed.text), []);
	const {unseenLake} = explorer.sending;
	const {field, now, type, set} = useLineField(uploader.begin, typed);
	useEffect(() => {
		let isCurrent = true;
		void lookAt(text).then(seen => {
			if (isCurrent) setSight(seen);
		});
		return () => {
			isCurrent = false;
		};
	}, [text]);
	const stop = stage.at === 'checking' ? stage.stop : undefined;
	useEffect(() => () => stop?.abort(), [stop]);

	const choices = sight?.choices ?? [];
	const rows = Math.max(1, Math.min(10, height - 10));
	const {position, now: positionNow, move} = useListPosition({count: choices.length, height: rows});

	const check = useCallback(
		(folder: string) => {
			const controller = new AbortController();
			const notify = (progress: Progress) =>
				setStage(before => (before.at === 'checking' ? {...before, progress} : before));
			const begun: Progress = {step: 'checking', share: undefined, amount: ''};
			setStage({at: 'checking', progress: begun, stop: controller});
			uploader.check(folder, notify, controller.signal).then(
				found => {
					if (!controller.signal.aborted) setStage({at: 'checked', check: found});
				},
				(error: unknown) => {
					if (controller.signal.aborted) return;
					setStage({at: 'folder', trouble: error instanceof Error ? error.message : String(error)});
				},
			);
		},
		[uploader],
	);

	const bindings = useMemo<readonly Binding[]>(() => {
		const close = () => explorer.update(overlaid(undefined));
		const back = () => setStage({at: 'folder', trouble: undefined});
		if (stage.at === 'checking') {
			return [
				{
					keys: ['esc'],
					action: 'upload.stop-check',
					description: 'stop the check',
					category,
					footer: 1,
					run() {
						stage.stop.abort();
						back();
					},
				},
			];
		}
		if (stage.at === 'checked') {
			const {check: found} = stage;
			return [
				{
					// What is worth a second look is not sent by the key that one goes on with.
					keys: isClean(found) ? ['enter', 'y'] : ['y'],
					action: 'upload.send',
					description: isClean(found) ? 'upload' : 'upload anyway',
					category,
					footer: 1,
					when: () => found.refusal === undefined,
					run() {
						close();
						void explorer.sending.start(found);
					},
				},
				{
					keys: ['y'],
					action: 'upload.why-not',
					description: 'why it is not uploaded',
					category,
					when: () => found.refusal !== undefined,
					run: () => explorer.notify('warning', `Nothing was uploaded: ${found.refusal ?? ''}`),
				},
				{
					keys: found.refusal === undefined ? ['n', 'esc'] : ['enter', 'n', 'esc'],
					action: 'upload.back',
					description: 'other folder',
					category,
					footer: 2,
					run: back,
				},
			];
		}
		return [
			{
				keys: ['enter'],
				action: 'upload.choose',
				description: 'open, check a dataset',
				category,
				footer: 1,
				run() {
					const wanted = now().text;
					// Keys of one burst come before the folder was looked at.
					void lookAt(wanted).then(seen => {
						const chosen = seen.choices[positionNow().selected];
						if (seen.look !== undefined) check(seen.folder);
						else if (chosen !== undefined) set(chosen.path);
						else setStage({at: 'folder', trouble: 'No dataset there: type another folder.'});
					});
				},
			},
			{
				keys: ['tab'],
				action: 'upload.complete',
				description: 'complete',
				category,
				footer: 2,
				run() {
					void lookAt(now().text).then(seen => {
						const common = commonStart(seen.choices);
						if (seen.choices.length === 1 || common.length > seen.text.length) set(common);
						else move((at, here) => movedBy(at, 1, here));
					});
				},
			},
			{
				keys: ['down', 'ctrl+n'],
				action: 'upload.next',
				description: 'next folder',
				category,
				batch: true,
				run: () => move((at, here) => movedBy(at, 1, here)),
			},
			{
				keys: ['up', 'ctrl+p'],
				action: 'upload.previous',
				description: 'previous folder',
				category,
				batch: true,
				run: () => move((at, here) => movedBy(at, -1, here)),
			},
			{keys: ['esc'], action: 'upload.leave', description: 'cancel', category, footer: 3, run: close},
		];
	}, [explorer, stage, now, positionNow, move, set, check]);
	useBindings({
		id: 'upload',
		level: 'dialog',
		modal: true,
		bindings,
		...(stage.at === 'folder' ? {text: type} : {}),
	});
	// What is typed begins another list.
	useEffect(() => {
		if (text !== '') move(() => listStart);
		setStage(before =>
			before.at === 'folder' && before.trouble !== undefined ? {at: 'folder', trouble: undefined} : before,
		);
	}, [text, move]);

	const wide = Math.min(widest, width);
	const inner = wide - 2;
	const {from, to} = shownRows(position, {count: choices.length, height: rows});
	const listed = choices.slice(from, to).map(({path, look}, row): DialogRow => {
		const isSelected = from + row === position.selected;
		const words = look === undefined ? '' : lookWords(look);
		return {
			segments: [
				isSelected ? ` ${screen.signs.pointer} ` : '   ',
				screen.cell(path, Math.max(8, inner - words.length - 5), {cut: 'start'}),
				' ',
				{text: words, role: 'accent'},
			],
			look: isSelected ? 'selected' : 'plain',
		};
	});
	const wrapped = (text: string, role: Role): DialogRow[] =>
		printableLines(text, Math.max(8, inner - 2), screen.drawing).map(line => ({
			segments: [' ', {text: line, role}],
		}));
	const isDataset = sight?.look !== undefined;
	const heading: DialogRow[] = [
		{segments: [{text: ' folder ', role: 'focus'}, ...fieldSegments(field, inner - 10, screen)]},
		...(sight === undefined ? [{segments: []}] : wrapped(sightWords(sight), isDataset ? 'good' : 'dim')),
	];
	const chooser: DialogRow[] = [
		...heading,
		...listed,
		...(stage.at === 'folder' && stage.trouble !== undefined
			? [{segments: []}, ...wrapped(stage.trouble, 'bad')]
			: []),
	];
	const keys = dialogKeys(bindings, useKeyOf(bindings));
	const room = Math.max(1, height - 3);
	const shown =
		stage.at === 'folder'
			? chooser.slice(0, room)
			: stage.at === 'checking'
				? [{segments: [' ', field.text]}, checkingRow(stage.progress, screen)]
				: [
						...checkRows(stage.check, {width: inner, look: sight?.look, unseenLake, screen}).slice(
							0,
							Math.max(1, room - 2),
						),
						{segments: []},
						keys.row,
					];
	const isChoosing = stage.at === 'folder';
	const area = useListMouse({
		id: 'upload',
		level: 'dialog',
		within: 'upload',
		head: 1 + heading.length,
		from,
		count: isChoosing ? to : 0,
		chosen: position.selected,
		move: step => isChoosing && move(step),
		open() {
			const chosen = choices[position.selected];
			if (chosen !== undefined) set(chosen.path);
		},
		beside(row, column) {
			const action = shown[row - 1] === keys.row ? keys.actionAt(column) : undefined;
			if (action !== undefined) router.run(action);
		},
	});
	return (
		<Dialog
			title="Upload a dataset"
			width={wide}
			rows={shown}
			screenWidth={width}
			screenHeight={height}
			area={area}
		/>
	);
}
