import type {Explorer} from '../../store/explorer.ts';
import type {Question} from '../../store/explorer-state.ts';
import {shellWord} from '../../store/export/shell-lines.ts';
import {takeIn} from '../../store/take-in.ts';
import {intoOwnLake} from '../../store/uploads/own-lake-words.ts';
import type {UploadEntry} from '../../store/uploads/upload-entry.ts';
import type {UploadCheck} from '../../store/uploads/uploader.ts';
import {asked} from '../../store/view-transitions.ts';
import {byteSize, counted} from '../../terminal/quantity.ts';

type Copy = (text: string, what: string) => void;

/** Takes what failed in again; what is in the lake already only after a question, for it is read anew as a whole. */
export function takeInAgain(explorer: Explorer, entry: UploadEntry, copy: Copy): void {
	const {folder, name, kind, phase, status} = entry;
	if (folder === undefined) return;
	if (kind === 'upload') {
		void sendAgain(explorer, {folder, name}, copy);
		return;
	}
	const agree = () => void takeIn(explorer, folder, name);
	if (phase === 'failed') {
		agree();
		return;
	}
	const question: Question = {
		title: 'Take it in again?',
		lines: [
			`${name ?? ''} from ${folder}`,
			`All of it is read anew and replaces generation ${status?.generation ?? '?'}; an episode that did not change keeps its id.`,
		],
		yes: 'take it in again',
		agree,
	};
	explorer.update(asked(question));
}

/** Goes on with an upload whose folder is on this machine; elsewhere the command that does is copied. */
async function sendAgain(
	explorer: Explorer,
	{folder, name}: {folder: string; name: string | undefined},
	copy: Copy,
): Promise<void> {
	const check = await checked(explorer, folder);
	// Sent under a name of its own, it needs that name again, which only the command takes.
	const isOtherName = name !== undefined && check?.name !== name;
	if (check === undefined || check.files === 0 || isOtherName) {
		const named = name === undefined ? '' : ` --name ${name}`;
		copy(`lakescope upload ${shellWord(folder)}${named}`, 'the command that goes on with the upload');
		return;
	}
	const {refusal, blobsAlone, files, bytes, newBytes} = check;
	if (refusal !== undefined) {
		explorer.notify('error', refusal);
		return;
	}
	const sent = newBytes === undefined ? 'what the service lacks of it' : byteSize(newBytes);
	const {unseenLake} = explorer.sending;
	const question: Question = {
		title: 'Send it again?',
		lines: [
			`${check.name} from ${folder}`,
			`${counted(files, 'file')}, ${byteSize(bytes)}; ${sent} is sent${blobsAlone === undefined ? ', and all of it is read anew' : ''}.`,
			...(blobsAlone === undefined ? [] : [blobsAlone]),
			...(unseenLake === undefined ? [] : [intoOwnLake(unseenLake)]),
		],
		yes: 'send it',
		agree: () => void explorer.sending.start(check),
	};
	explorer.update(asked(question));
}

/** What a folder would come to; undefined where it is not on this machine, or nothing here sends. */
async function checked(explorer: Explorer, folder: string): Promise<UploadCheck | undefined> {
	const {uploader} = explorer.sending;
	if (uploader === undefined) return undefined;
	const calledOff = new AbortController();
	const report = explorer.work.begin({subject: folder, loss: 'Nothing was sent yet.'}, () =>
		calledOff.abort(),
	);
	try {
		return await uploader.check(folder, progress => report.tell(progress), calledOff.signal);
	} catch {
		return undefined;
	} finally {
		report.end();
	}
}
