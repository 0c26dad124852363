import {createStore, type StoreApi} from 'zustand/vanilla';
import type {Client} from '../../client/client.ts';
import {createFile, FileExistsError} from '../../files/new-file.ts';
import {resolvePath, shortPath} from '../../files/places.ts';
import type {Preparation} from '../preparation.ts';
import {selectedPages} from '../selection/selected-pages.ts';
import type {Selection} from '../selection/selection.ts';
import {type EpisodeFormId, episodeForms, written} from './forms.ts';

type Tell = (kind: 'info' | 'warning' | 'error', text: string) => void;

/** More is not gathered for a clipboard: no terminal takes it. In characters. */
const mostCopied = 4_000_000;

/** What is handed over: episodes that are read for it, or a text that is there. */
export type ExportContent =
	| {readonly selection: Selection; readonly form: EpisodeFormId}
	| {readonly text: string};

export type ExportTarget = {
	/** A path as people type it. */
	readonly typed: string;
	/** Take the place of a file that is there. */
	readonly overwrite: boolean;
	/** Told of a file that is there and stays as it is. */
	readonly exists: (file: string) => void;
};

/** How an export went. */
type Outcome = {readonly episodes: number; readonly leftOut: number; readonly hasChanged: boolean};

/** Hands over what is selected, one export at a time, while everything else goes on. */
export class ExportDesk {
	/** What is being written just now. */
	readonly known: StoreApi<Preparation | undefined> = createStore<Preparation | undefined>(() => undefined);
	readonly #client: Pick<Client, 'explore'>;
	readonly #tell: Tell;
	#running: AbortController | undefined;

	constructor(client: Pick<Client, 'explore'>, tell: Tell) {
		this.#client = client;
		this.#tell = tell;
	}

	/** The text of it; undefined where it is too long for a clipboard, was stopped, or could not be read. */
	async text(content: ExportContent): Promise<string | undefined> {
		if ('text' in content) return content.text;
		const pieces: string[] = [];
		let length = 0;
		const outcome = await this.#run('the clipboard', content, async piece => {
			pieces.push(piece);
			length += piece.length;
			if (length > mostCopied) throw new Error('It is too long for a clipboard: write it to a file (w).');
		});
		return outcome === undefined ? undefined : pieces.join('');
	}

	/** Writes it to a file, which is there whole or not at all. */
	async toFile(content: ExportContent, {typed, overwrite, exists}: ExportTarget): Promise<void> {
		const file = resolvePath(typed.trim(), process.cwd());
		const shown = shortPath(file);
		try {
			const target = await createFile(file, {overwrite});
			const outcome =
				'text' in content
					? await target.write(`${content.text}\n`)
					: await this.#run(shown, content, piece => target.write(piece));
			if (outcome === undefined && !('text' in content)) return await target.abandon();
			await target.finish();
			this.#tell('info', outcome ? `${counted(outcome.episodes)} in ${shown}.` : `Written to ${shown}.`);
			if (outcome) this.#warnOf(outcome);
		} catch (error) {
			if (error instanceof FileExistsError) exists(shown);
			else this.#tell('error', messageOf(error));
		}
	}

	#warnOf({leftOut, hasChanged}: Outcome): void {
		if (leftOut > 0) this.#tell('warning', `${counted(leftOut)} more broke the interface and are not in it.`);
		if (hasChanged) {
			this.#tell('warning', 'The lake changed while it was read: some may be missing or be there twice.');
		}
	}

	/** Stops what is being written; nothing of it stays. */
	cancel(): void {
		this.#running?.abort();
	}

	stop(): void {
		this.cancel();
	}

	/** @returns undefined where it was stopped, or failed and that has been told. */
	async #run(
		subject: string,
		{selection, form}: Extract<ExportContent, {form: EpisodeFormId}>,
		write: (piece: string) => Promise<void>,
	): Promise<Outcome | undefined> {
		if (this.#running !== undefined) {
			this.#tell('warning', 'An export is being written: x in the export dialog stops it.');
			return undefined;
		}
		const running = new AbortController();
		this.#running = running;
		const totals = new Set<bigint>();
		let episodes = 0;
		let leftOut = 0;
		const pages = async function* (
			client: Pick<Client, 'explore'>,
			known: StoreApi<Preparation | undefined>,
		) {
			for await (const page of selectedPages(client, selection, running.signal)) {
				yield page.episodes;
				totals.add(page.total);
				episodes += page.episodes.length;
				leftOut += page.leftOut;
				known.setState(progress(subject, episodes, page.total), true);
			}
		};
		try {
			for await (const piece of written(episodeForms[form], pages(this.#client, this.known))) {
				await write(piece);
				running.signal.throwIfAborted();
			}
			return {episodes, leftOut, hasChanged: totals.size > 1};
		} catch (error) {
			if (running.signal.aborted) this.#tell('info', `Stopped: nothing of it is in ${subject}.`);
			else this.#tell('error', messageOf(error));
			return undefined;
		} finally {
			this.#running = undefined;
			this.known.setState(undefined, true);
		}
	}
}

function progress(subject: string, done: number, total: bigint): Preparation {
	const share = total > 0n ? done / Number(total) : undefined;
	return {subject, step: 'exporting', share, amount: `${done}/${total} episodes`};
}

function counted(episodes: number): string {
	return `${episodes} episode${episodes === 1 ? '' : 's'}`;
}

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
