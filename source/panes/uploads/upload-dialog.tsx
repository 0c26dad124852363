import {type ReactNode, useEffect, useState} from 'react';
import {Dialog, type DialogRow} from '../../components/dialog.tsx';
import {useKeyOf} from '../../components/key-words.ts';
import {useScreen} from '../../components/screen.tsx';
import {useExplorer} from '../../hooks/explorer.tsx';
import type {Binding} from '../../input/binding.ts';
import {useBindings, useMouseArea, useRouter} from '../../input/react.tsx';
import {overlaid} from '../../store/state/transitions.ts';
import type {DatasetLook} from '../../store/uploads/folder-chooser.ts';
import type {Progress, UploadCheck, Uploader} from '../../store/uploads/uploader.ts';
import {dialogKeys} from '../list/dialog-keys.ts';
import {checkingRow, checkRows} from './check-rows.ts';
import {FolderChooser} from './folder-chooser.tsx';

type Size = {readonly width: number; readonly height: number};

/** A folder is chosen, then checked, then the check is read and the upload begun. */
type UploadStep =
	| {readonly at: 'folder'; readonly trouble: string | undefined}
	| {readonly at: 'checking'; readonly progress: Progress; readonly stop: AbortController}
	| {readonly at: 'checked'; readonly check: UploadCheck};

const widest = 84;
const category = 'Upload';
const title = 'Upload a dataset';

/** Uploads a dataset of this machine: choose its folder, check it, begin. */
export function UploadDialog(size: Size): ReactNode {
	const {uploader} = useExplorer().sending;
	return uploader === undefined ? null : <UploadSteps {...size} uploader={uploader} />;
}

function UploadSteps({uploader, ...size}: Size & {readonly uploader: Uploader}): ReactNode {
	const {step, check, back} = useUploadCheck(uploader);
	const [folder, setFolder] = useState<{readonly typed: string; readonly look: DatasetLook | undefined}>({
		typed: uploader.begin,
		look: undefined,
	});
	switch (step.at) {
		case 'folder':
			return (
				<FolderChooser
					{...size}
					title={title}
					widest={widest}
					typed={folder.typed}
					trouble={step.trouble}
					refuse={back}
					chosen={(typed, {folder: path, look}) => {
						setFolder({typed, look});
						check(path);
					}}
				/>
			);
		case 'checking':
			return <Checking {...size} folder={folder.typed} progress={step.progress} stop={back} />;
		case 'checked':
			return <Checked {...size} check={step.check} look={folder.look} back={back} />;
	}
}

/** The steps of the dialog; leaving it, or going back, stops a check. */
function useUploadCheck(uploader: Uploader) {
	const [step, setStep] = useState<UploadStep>({at: 'folder', trouble: undefined});
	const stop = step.at === 'checking' ? step.stop : undefined;
	useEffect(() => () => stop?.abort(), [stop]);
	const back = (trouble?: string) => {
		stop?.abort();
		setStep({at: 'folder', trouble});
	};
	const check = (folder: string) => {
		const controller = new AbortController();
		const begun: Progress = {step: 'checking', share: undefined, amount: ''};
		setStep({at: 'checking', progress: begun, stop: controller});
		const advance = (progress: Progress) =>
			setStep(before => (before.at === 'checking' ? {...before, progress} : before));
		uploader.check(folder, advance, controller.signal).then(
			found => {
				if (!controller.signal.aborted) setStep({at: 'checked', check: found});
			},
			(error: unknown) => {
				if (!controller.signal.aborted) back(error instanceof Error ? error.message : String(error));
			},
		);
	};
	return {step, check, back};
}

type CheckingProps = Size & {
	readonly folder: string;
	readonly progress: Progress;
	readonly stop: () => void;
};

/** Shows how far the check is. */
function Checking({folder, progress, stop, width, height}: CheckingProps): ReactNode {
	const screen = useScreen();
	const bindings: readonly Binding[] = [
		{
			keys: ['esc'],
			action: 'upload.stop-check',
			description: 'stop the check',
			category,
			footer: 1,
			run: () => stop(),
		},
	];
	useBindings({id: 'upload-checking', level: 'dialog', modal: true, bindings});
	return (
		<Dialog
			title={title}
			width={Math.min(widest, width)}
			rows={[{segments: [' ', folder]}, checkingRow(progress, screen)]}
			screenWidth={width}
			screenHeight={height}
		/>
	);
}

/** The check found nothing that argues against the upload. */
const isClean = ({refusal, blobsAlone, losses, problemCount}: UploadCheck) =>
	refusal === undefined && blobsAlone === undefined && losses.length === 0 && problemCount === 0;

type CheckedProps = Size & {
	readonly check: UploadCheck;
	readonly look: DatasetLook | undefined;
	readonly back: () => void;
};

/** Shows the result of the check, and begins the upload. */
function Checked({check, look, back, width, height}: CheckedProps): ReactNode {
	const explorer = useExplorer();
	const screen = useScreen();
	const router = useRouter();
	const {unseenLake} = explorer.sending;
	const {refusal} = check;
	const bindings: readonly Binding[] = [
		{
			// Enter has brought the user here: it does not also confirm an upload with warnings.
			keys: isClean(check) ? ['enter', 'y'] : ['y'],
			action: 'upload.send',
			description: isClean(check) ? 'upload' : 'upload anyway',
			category,
			footer: 1,
			when: () => refusal === undefined,
			run() {
				explorer.update(overlaid(undefined));
				void explorer.sending.start(check);
			},
		},
		{
			keys: ['y'],
			action: 'upload.why-not',
			description: 'why it is not uploaded',
			category,
			when: () => refusal !== undefined,
			run: () => explorer.notify('warning', `Nothing was uploaded: ${refusal ?? ''}`),
		},
		{
			keys: ['enter'],
			action: 'upload.why-not-enter',
			description: 'why enter does not upload',
			category,
			when: () => refusal === undefined && !isClean(check),
			run: () =>
				explorer.notify('info', 'The check has warnings.', {action: 'upload.send', does: 'uploads anyway'}),
		},
		{
			keys: refusal === undefined ? ['n', 'esc'] : ['enter', 'n', 'esc'],
			action: 'upload.back',
			description: 'other folder',
			category,
			footer: 2,
			run: () => back(),
		},
	];
	useBindings({id: 'upload-checked', level: 'dialog', modal: true, bindings});
	const keys = dialogKeys(bindings, useKeyOf(bindings));
	const wide = Math.min(widest, width);
	const found = checkRows(check, {width: wide - 2, look, unseenLake, screen});
	const rows: readonly DialogRow[] = [...found.slice(0, Math.max(1, height - 5)), {segments: []}, keys.row];
	const area = useMouseArea({
		id: 'upload-checked',
		level: 'dialog',
		within: 'upload-checked',
		press(row, column) {
			const action = row === rows.length ? keys.actionAt(column) : undefined;
			if (action !== undefined) router.run(action);
		},
	});
	return (
		<Dialog title={title} width={wide} rows={rows} screenWidth={width} screenHeight={height} area={area} />
	);
}
