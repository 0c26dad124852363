import {useMemo} from 'react';
import {useCopy} from '../../hooks/clipboard.tsx';
import {useExplorer, useExplorerState, useUploads} from '../../hooks/explorer.tsx';
import type {Binding} from '../../input/binding.ts';
import type {Explorer} from '../../store/explorer.ts';
import {shellWord} from '../../store/export/shell-lines.ts';
import {ingestFolder, newestRevisionOf} from '../../store/ingest-folder.ts';
import {printLink} from '../../store/queries/link.ts';
import {rowOfLocation} from '../../store/state/list-location.ts';
import {edited, overlaid} from '../../store/state/transitions.ts';
import type {Confirmation} from '../../store/state/user-state.ts';
import {asked} from '../../store/state/view-transitions.ts';
import {intoOwnLake} from '../../store/uploads/own-uploads.ts';
import {retryRefusal, type UploadEntry} from '../../store/uploads/upload-entry.ts';
import type {UploadCheck} from '../../store/uploads/uploader.ts';
import {byteSize, counted} from '../../terminal/quantity.ts';
import {copyBinding} from '../list/copy-binding.ts';

/** The entries that show, the selected one, and what can be done with it. */
export function useShownUploads() {
	const explorer = useExplorer();
	const copy = useCopy();
	const feed = useUploads();
	const place = useExplorerState(({lists}) => lists.uploads);
	const wanted = place.search.toLowerCase();
	const entries = useMemo(
		() =>
			wanted === ''
				? feed.entries
				: feed.entries.filter(({name, phase, message, operationId, folder}) =>
						[name, phase, message, operationId, folder].some(text => text?.toLowerCase().includes(wanted)),
					),
		[feed.entries, wanted],
	);
	const keys = useMemo(() => entries.map(({key}) => key), [entries]);
	const selected = entries[rowOfLocation(place, keys)];
	const bindings = useMemo(
		() => uploadBindings(explorer, {entries, selected, copy}),
		[explorer, entries, selected, copy],
	);
	return {feed, entries, keys, selected, bindings, isSearched: wanted !== ''};
}

const category = 'Uploads';

/**
 * The keys for an entry of the feed, besides opening it.
 *
 * @param entries those on the screen, and the one that is selected, as they were drawn.
 */
function uploadBindings(
	explorer: Explorer,
	{
		entries,
		selected,
		copy,
	}: {
		entries: readonly UploadEntry[];
		selected: UploadEntry | undefined;
		copy: (text: string, what: string) => void;
	},
): readonly Binding[] {
	const refusal = selected && retryRefusal(selected);
	return [
		{
			keys: ['x'],
			action: 'uploads.dismiss',
			description: 'dismiss',
			category,
			footer: 20,
			when: () => selected !== undefined,
			run() {
				if (selected !== undefined && explorer.mayChange()) void explorer.uploads.dismiss(selected, entries);
			},
		},
		{
			keys: ['R'],
			action: 'uploads.retry',
			description: 'ingest again',
			category,
			...(refusal === undefined && {footer: 21}),
			when: () => selected !== undefined,
			run() {
				if (selected === undefined) return;
				if (refusal !== undefined) explorer.notify('warning', refusal);
				else if (explorer.mayChange()) takeInAgain(explorer, selected, copy);
			},
		},
		copyBinding('uploads', category, () => {
			const id = selected?.operationId;
			if (id !== undefined) copy(printLink({kind: 'upload', id}), 'the upload link');
		}),
		{
			keys: ['u'],
			action: 'uploads.begin',
			description: 'upload a dataset',
			category,
			footer: 24,
			when: () => explorer.sending.uploader !== undefined,
			run() {
				if (explorer.mayChange()) explorer.update(overlaid('upload'));
			},
		},
		{
			keys: ['f'],
			action: 'uploads.follow',
			description: 'follow an operation',
			category,
			footer: 25,
			run: () => explorer.update(edited({list: 'uploads', what: 'follow'})),
		},
	];
}

type Copy = (text: string, what: string) => void;

/** Ingests a failed dataset again; one that is in the lake already only after a question, since all of it is read again. */
function takeInAgain(explorer: Explorer, entry: UploadEntry, copy: Copy): void {
	const {folder, name, kind, phase, status} = entry;
	if (folder === undefined) return;
	if (kind === 'upload') {
		void sendAgain(explorer, {folder, name}, copy);
		return;
	}
	const place = newestRevisionOf(folder);
	const agree = () => void ingestFolder(explorer, place, name);
	if (phase === 'failed') {
		agree();
		return;
	}
	const question: Confirmation = {
		title: 'Ingest it again?',
		lines: [
			`${name ?? ''} from ${place}`,
			`All files are read again and replace generation ${status?.generation ?? '?'}; unchanged episodes keep their ids.`,
		],
		yes: 'ingest again',
		agree,
	};
	explorer.update(asked(question));
}

/** Resumes an upload whose folder is on this machine; elsewhere copies the command that does. */
async function sendAgain(
	explorer: Explorer,
	{folder, name}: {folder: string; name: string | undefined},
	copy: Copy,
): Promise<void> {
	const check = await checked(explorer, folder);
	// A dataset uploaded under another name needs that name again, which only the command takes.
	const isOtherName = name !== undefined && check?.name !== name;
	if (check === undefined || check.files === 0 || isOtherName) {
		const named = name === undefined ? '' : ` --name ${name}`;
		copy(`lakescope upload ${shellWord(folder)}${named}`, 'the command that resumes the upload');
		return;
	}
	const {refusal, blobsAlone, files, bytes, newBytes} = check;
	if (refusal !== undefined) {
		explorer.notify('error', refusal);
		return;
	}
	const sent = newBytes === undefined ? 'the missing files' : byteSize(newBytes);
	const {unseenLake} = explorer.sending;
	const question: Confirmation = {
		title: 'Upload it again?',
		lines: [
			`${check.name} from ${folder}`,
			`${counted(files, 'file')}, ${byteSize(bytes)}; ${sent} will be sent${blobsAlone === undefined ? ', and all files are read again' : ''}.`,
			...(blobsAlone === undefined ? [] : [blobsAlone]),
			...(unseenLake === undefined ? [] : [intoOwnLake(unseenLake)]),
		],
		yes: 'upload',
		agree: () => void explorer.sending.start(check),
	};
	explorer.update(asked(question));
}

/** The check of a folder; undefined where it is not on this machine, or this program cannot upload. */
async function checked(explorer: Explorer, folder: string): Promise<UploadCheck | undefined> {
	const {uploader} = explorer.sending;
	if (uploader === undefined) return undefined;
	const calledOff = new AbortController();
	const report = explorer.work.begin({subject: folder, loss: 'Nothing uploaded yet.'}, () =>
		calledOff.abort(),
	);
	try {
		return await uploader.check(folder, progress => report.notify(progress), calledOff.signal);
	} catch {
		return undefined;
	} finally {
		report.end();
	}
}
