import type {DialogRow} from '../../components/dialog.tsx';
import type {Screen} from '../../components/screen.tsx';
import type {Role} from '../../components/theme.ts';
import type {ChooserSight, DatasetLook} from '../../store/uploads/folder-chooser.ts';
import {intoOwnLake} from '../../store/uploads/own-uploads.ts';
import type {Progress, UploadCheck} from '../../store/uploads/uploader.ts';
import {printableLines} from '../../terminal/printable.ts';
import {byteSize, counted} from '../../terminal/quantity.ts';

const barWidth = 20;
const shownProblems = 6;

/** Describes a dataset by its metadata: `LeRobot v3.0, 50 episodes, so101`. */
export function lookWords({version, episodes, robot}: DatasetLook): string {
	return [
		`LeRobot ${version ?? 'of an unknown version'}`,
		episodes === undefined ? '' : counted(episodes, 'episode'),
		robot ?? '',
	]
		.filter(Boolean)
		.join(', ');
}

/** Describes the typed folder, in a sentence. */
export function sightWords({text, folder, exists, look, choices}: ChooserSight): string {
	if (look !== undefined) return `A dataset: ${lookWords(look)}`;
	if (!exists) return choices.length === 0 ? `No folder ${folder}.` : 'Folders that match:';
	if (choices.length === 0) return `No dataset and no subfolder: ${text === '' ? folder : text}`;
	return 'No dataset here; subfolders:';
}

/** The progress of the check. */
export function checkingRow({step, share, amount}: Progress, {signs}: Screen): DialogRow {
	const bar = share === undefined ? '' : `${signs.progress(share, barWidth)} `;
	return {segments: ['   ', {text: bar, role: 'accent'}, `${step} ${amount}`], turns: true};
}

type CheckLook = {
	readonly width: number;
	readonly look: DatasetLook | undefined;
	/** The lake that the dataset goes into, if the screen shows another. */
	readonly unseenLake: string | undefined;
	readonly screen: Screen;
};

/** The result of the check: size, new data, losses, problems. */
export function checkRows(
	check: UploadCheck,
	{width, look, unseenLake, screen}: CheckLook,
): readonly DialogRow[] {
	const {
		name,
		files,
		bytes,
		newBytes,
		episodes,
		frames,
		blobsAlone,
		refusal,
		losses,
		problems,
		problemCount,
	} = check;
	const rows = (text: string, role: Role = 'plain'): DialogRow[] =>
		printableLines(text, Math.max(8, width - 2), screen.drawing).map(line => ({
			segments: [' ', {text: line, role}],
		}));
	const news =
		newBytes === undefined
			? 'The share of new data is unknown: the service does not list its files.'
			: `${byteSize(newBytes)} of it is new to the service.`;
	const more = problemCount - Math.min(problems.length, shownProblems);
	return [
		...rows(`${name}${look === undefined ? '' : `: ${lookWords(look)}`}`, 'strong'),
		...(refusal === undefined
			? [
					...rows(`${counted(files, 'file')}, ${byteSize(bytes)}. ${news}`),
					...rows(
						blobsAlone ?? `Will ingest ${counted(episodes, 'episode')}, ${counted(frames, 'frame')}.`,
						blobsAlone === undefined ? 'plain' : 'warning',
					),
					...(unseenLake === undefined ? [] : rows(intoOwnLake(unseenLake), 'accent')),
				]
			: rows(refusal, 'bad')),
		...losses.flatMap(loss => rows(loss, 'warning')),
		...(problemCount === 0 ? [] : rows(counted(problemCount, 'problem'), 'warning')),
		...problems.slice(0, shownProblems).flatMap(problem => rows(problem, 'dim')),
		...(more > 0 && problemCount > 0 ? rows(`and ${more} more: see lakescope check`, 'dim') : []),
	];
}
