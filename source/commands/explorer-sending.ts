import type {Progress, UploadCheck, Uploader} from '../store/uploads/uploader.ts';
import {byteSize} from '../terminal/quantity.ts';
import {checkDataset, type DatasetCheck} from './dataset-check.ts';
import {ingestedWords} from './ingest.ts';
import {takenWords} from './name-holder.ts';
import {refusalOf} from './print/failure.ts';
import type {ProgressDisplay, Step} from './print/progress.ts';
import {problemLine} from './print/table.ts';
import type {Settings} from './settings.ts';
import {type Upload, uploadDataset} from './upload-dataset.ts';
import {askForNews} from './upload-news.ts';
import {withUploadService} from './upload-service.ts';

/** Problems that are shown before a sending; `lakescope check` lists them all. */
const mostProblems = 50;

function progressOf({step, done, total, unit, figures}: Step): Progress {
	const share = done === undefined || !total ? undefined : done / total;
	const counts = done === undefined || !total ? '' : `${done}/${total} ${unit ?? ''}`.trimEnd();
	return {step, share, amount: figures ?? counts};
}

const displayFor = (notify: (progress: Progress) => void): ProgressDisplay => ({
	show: step => notify(progressOf(step)),
	clear: () => undefined,
});

/** Checks and sends datasets for the explorer, by what `lakescope check` and `lakescope upload` do it with. */
export function explorerSending(settings: Settings): Pick<Uploader, 'check' | 'send'> {
	const checks = new WeakMap<UploadCheck, DatasetCheck>();
	return {
		async check(folder, notify, signal) {
			const display = displayFor(notify);
			const found = await checkDataset(folder, undefined, {display, signal});
			const {name, listing, trial, refusal, losses, problems, problemCount} = found;
			const news =
				refusal === undefined
					? await withUploadService(settings, {signal, onGone: () => undefined}, (session, until) =>
							askForNews(session, found, {display, say: () => undefined, signal: until}),
						)
					: undefined;
			const check: UploadCheck = {
				folder,
				name,
				files: listing.files.length,
				bytes: listing.bytes,
				episodes: trial.episodes,
				frames: trial.frames,
				newBytes: news && 'bytes' in news ? news.bytes : undefined,
				blobsAlone: news?.blobsAlone,
				refusal: refusal ?? (news?.holder && takenWords(name, news.holder)),
				losses,
				problems: problems.slice(0, mostProblems).map(problem => problemLine(problem).trim()),
				problemCount,
			};
			checks.set(check, found);
			return check;
		},
		async send(check, {notify, say, signal}) {
			const {name} = check;
			const display = displayFor(notify);
			const found = checks.get(check) ?? (await checkDataset(check.folder, undefined, {display, signal}));
			const upload: Upload = {check: found, rate: Number.POSITIVE_INFINITY, display, say};
			try {
				const uploaded = await withUploadService(
					settings,
					{
						signal,
						onGone: () => say(`${name}: the embedded service stopped; another one continues.`),
					},
					(session, until) => uploadDataset(upload, session, until),
				);
				if (uploaded.kind === 'sent')
					return `${name}: everything was sent, but the service there makes no dataset of it.`;
				const {phase, message} = uploaded.status;
				if (phase !== 'finalized') throw new Error(message ?? `it ended as ${phase}`);
				return `${name} is in the lake: ${ingestedWords(uploaded.status)} (${byteSize(check.bytes)}).`;
			} catch (error) {
				if (signal.aborted) throw error;
				throw new Error(refusalOf(error), {cause: error});
			}
		},
	};
}
