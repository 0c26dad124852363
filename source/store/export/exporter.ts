import type {Client} from '../../client/client.ts';
import type {LakeEpisode} from '../../contract/episode.ts';
import {createFile, FileExistsError, type NewFile} from '../../files/new-file.ts';
import {resolvePath, shortPath} from '../../files/places.ts';
import {selectedPages} from '../selection/selected-pages.ts';
import type {Selection} from '../selection/selection.ts';
import type {WorkList} from '../state/work.ts';
import {type EpisodeFormId, episodeForms, written} from './episode-forms.ts';

/** More is not gathered for a clipboard: no terminal takes it. In characters. */
const mostCopied = 4_000_000;

/** Between two updates of its progress. */
const notifyEveryMs = 250;

/** The content of an export: episodes that are read for it, or a finished text. */
export type ExportContent =
	| {readonly selection: Selection; readonly form: EpisodeFormId}
	| {readonly selection: Selection; readonly gather: Gathering}
	| {readonly text: string};

/** A text that can only be made of all the episodes at once. */
type Gathering = (episodes: readonly LakeEpisode[], signal: AbortSignal) => Promise<string>;

export type ExportTarget = {
	/** A path as people type it. */
	readonly typed: string;
	/** Take the place of a file that is there. */
	readonly overwrite: boolean;
	/** Told of a file that is there and stays as it is. */
	readonly exists: (file: string) => void;
	/** Told why the file cannot even be begun, in a sentence. */
	readonly refused: (reason: string) => void;
	/** The file is begun; what comes of it is said as a notice. */
	readonly begun: () => void;
};

/** How an export went. */
type Outcome = {readonly episodes: number; readonly leftOut: number; readonly hasChanged: boolean};

type ExportOptions = {
	readonly client: Pick<Client, 'explore'>;
	readonly work: Pick<WorkList, 'begin'>;
	readonly notify: (kind: 'info' | 'warning' | 'error', text: string) => void;
};

/** Hands over what is selected, while everything else goes on. */
export class Exporter {
	readonly #client: Pick<Client, 'explore'>;
	readonly #work: Pick<WorkList, 'begin'>;
	readonly #notify: ExportOptions['notify'];
	/** Files that are being written. */
	readonly #open = new Set<NewFile>();

	constructor({client, work, notify}: ExportOptions) {
		this.#client = client;
		this.#work = work;
		this.#notify = notify;
	}

	/** The text of it; undefined where it is too long for a clipboard, was stopped, or could not be read. */
	async text(content: ExportContent): Promise<string | undefined> {
		if ('text' in content) return content.text;
		const pieces: string[] = [];
		let length = 0;
		const outcome = await this.#run('the clipboard', content, {
			async write(piece) {
				pieces.push(String(piece));
				length += piece.length;
				if (length > mostCopied) throw new Error('It is too long for a clipboard: write it to a file.');
			},
			async scratch() {
				throw new Error('A clipboard cannot hold it: write it to a file.');
			},
		});
		return outcome === undefined ? undefined : pieces.join('');
	}

	/** Writes it to a file, which is there whole or not at all. */
	async toFile(content: ExportContent, {typed, overwrite, ...told}: ExportTarget): Promise<void> {
		const file = resolvePath(typed.trim(), process.cwd());
		const shown = shortPath(file);
		let target: NewFile;
		try {
			target = await createFile(file, {overwrite});
		} catch (error) {
			if (error instanceof FileExistsError) told.exists(shown);
			else told.refused(messageOf(error));
			return;
		}
		told.begun();
		this.#open.add(target);
		try {
			await this.#fill(target, content, shown);
		} catch (error) {
			if (error instanceof FileExistsError) told.exists(shown);
			else this.#notify('error', messageOf(error));
		} finally {
			this.#open.delete(target);
		}
	}

	/** Leaves nothing half-written; the program may end right after. */
	stop(): void {
		for (const target of this.#open) target.abandonNow();
	}

	async #fill(target: NewFile, content: ExportContent, shown: string): Promise<void> {
		if ('text' in content) {
			await target.write(`${content.text}\n`);
			await target.finish();
			return this.#notify('info', `Written to ${shown}.`);
		}
		const outcome = await this.#run(shown, content, target);
		if (outcome === undefined) return target.abandon();
		await target.finish();
		this.#notify('info', `${counted(outcome.episodes)} in ${shown}.`);
		this.#warnOf(outcome);
	}

	#warnOf({leftOut, hasChanged}: Outcome): void {
		if (leftOut > 0)
			this.#notify('warning', `${counted(leftOut)} more did not match the interface and are not in it.`);
		if (hasChanged) {
			this.#notify('warning', 'The lake changed while it was read: episodes may be missing or appear twice.');
		}
	}

	/** @returns undefined where it was stopped, or failed and that has been told. */
	async #run(
		subject: string,
		content: Extract<ExportContent, {selection: Selection}>,
		target: Pick<NewFile, 'write' | 'scratch'>,
	): Promise<Outcome | undefined> {
		const {selection} = content;
		const running = new AbortController();
		const loss = `Nothing will be written to ${subject}.`;
		const report = this.#work.begin({subject, loss}, () => running.abort());
		const totals = new Set<bigint>();
		let episodes = 0;
		let leftOut = 0;
		let toldAt = 0;
		const pages = async function* (client: Pick<Client, 'explore'>) {
			for await (const page of selectedPages(client, selection, running.signal)) {
				yield page.episodes;
				totals.add(page.total);
				episodes += page.episodes.length;
				leftOut += page.leftOut;
				if (Date.now() - toldAt < notifyEveryMs) continue;
				toldAt = Date.now();
				report.notify(progress(episodes, page.total));
			}
		};
		try {
			const read = pages(this.#client);
			for await (const piece of await piecesOf(content, read, target, running.signal)) {
				await target.write(piece);
				running.signal.throwIfAborted();
			}
			return {episodes, leftOut, hasChanged: totals.size > 1};
		} catch (error) {
			if (running.signal.aborted) this.#notify('info', `Cancelled: nothing was written to ${subject}.`);
			else this.#notify('error', messageOf(error));
			return undefined;
		} finally {
			report.end();
		}
	}
}

async function piecesOf(
	content: Extract<ExportContent, {selection: Selection}>,
	pages: AsyncIterable<readonly LakeEpisode[]>,
	target: Pick<NewFile, 'scratch'>,
	signal: AbortSignal,
): Promise<AsyncIterable<string | Uint8Array>> {
	if (!('form' in content)) return gathered(content.gather, pages, signal);
	const form = episodeForms[content.form];
	return 'pieces' in form ? form.pieces(pages, await target.scratch()) : written(form, pages);
}

async function* gathered(
	gather: Gathering,
	pages: AsyncIterable<readonly LakeEpisode[]>,
	signal: AbortSignal,
): AsyncGenerator<string, void> {
	const all: LakeEpisode[] = [];
	for await (const episodes of pages) all.push(...episodes);
	yield `${await gather(all, signal)}\n`;
}

function progress(done: number, total: bigint) {
	const share = total > 0n ? done / Number(total) : undefined;
	return {step: 'exporting', share, amount: `${done}/${total} episodes`};
}

function counted(episodes: number): string {
	return `${episodes} episode${episodes === 1 ? '' : 's'}`;
}

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
