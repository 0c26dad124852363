import type {QueryClient} from '@tanstack/query-core';
import {createStore, type StoreApi} from 'zustand/vanilla';
import type {Client} from '../../client/client.ts';
import {ServiceError} from '../../client/errors.ts';
import {type DatasetFilesRead, readDatasetFiles} from '../../contract/read-dataset-files.ts';
import type {CardBlock} from '../../picture/card-blocks.ts';
import {cardRead} from '../pictures/pictures.ts';
import {Watched} from '../queries/polled.ts';

/** The files and the card of the opened dataset. */
export type OpenedDataset = {
	readonly path: string;
	/** A branch, tag or commit. */
	readonly ref: string;
	readonly files: DatasetFilesRead | undefined;
	/** Files show before their card is read. */
	readonly card: DatasetCard | 'reading' | undefined;
	/** The answer as it came, where its shape cannot be told. */
	readonly raw: unknown;
	/** Why there are none. */
	readonly trouble: string | undefined;
};

/** The document's default branch. */
const defaultRef = 'main';

/** The service has no files to show: asking again by itself would only end the same. */
class NoFiles {
	readonly detail: string | undefined;

	constructor(detail: string | undefined) {
		this.detail = detail;
	}
}

/** The service's answer, raw and as far as its shape is known. */
type Read = {
	readonly answer: unknown;
	readonly files: DatasetFilesRead | undefined;
};

const nothingRead: Read = {answer: undefined, files: undefined};

async function readFiles(
	client: Pick<Client, 'datasetFiles'>,
	query: {readonly path: string; readonly ref: string},
	signal: AbortSignal,
): Promise<Read | NoFiles> {
	try {
		const {data: answer} = await client.datasetFiles(query, {signal});
		const files = answer === undefined ? undefined : readDatasetFiles(answer);
		return {
			answer: answer ?? null,
			files,
		};
	} catch (error) {
		if (error instanceof ServiceError && error.status === 404) return new NoFiles(error.detail);
		throw error;
	}
}

/** A 404 has two meanings here (4.8), and neither is an error of the caller. */
function noFilesWords({detail}: NoFiles, ref: string): string {
	const said = detail === undefined ? '' : ` It says: ${detail}`;
	const other = ref === defaultRef ? '' : ` at ${ref}`;
	return `The service shows no files of this dataset${other}: either it does not know the repository there, or the dataset is on another data plane than the lake, whose files it does not show.${said}`;
}

/** Reads the files of the one dataset that is opened. */
export class OpenedDatasetWatch {
	readonly known: StoreApi<OpenedDataset | undefined> = createStore(
		(): OpenedDataset | undefined => undefined,
	);
	readonly #queries: QueryClient;
	readonly #client: Pick<Client, 'datasetFiles'>;
	#watched: Watched<Read | NoFiles> | undefined;
	/** The card that was read last, of which text. */
	#card: {readonly markdown: string; readonly read: DatasetCard | 'reading'} | undefined;
	#reading = new AbortController();

	constructor(queries: QueryClient, client: Pick<Client, 'datasetFiles'>) {
		this.#queries = queries;
		this.#client = client;
	}

	/** Opens a dataset by its path, at a branch, tag or commit; none without a path. */
	open(path: string | undefined, ref = defaultRef): void {
		const {path: before, ref: refBefore} = this.known.getState() ?? {};
		if (path === before && (path === undefined || ref === refBefore)) return;
		this.#watched?.leave();
		this.#watched = undefined;
		this.#reading.abort();
		this.#card = undefined;
		if (path === undefined) {
			this.known.setState(undefined, true);
			return;
		}
		this.known.setState(
			{path, ref, files: undefined, card: undefined, raw: undefined, trouble: undefined},
			true,
		);
		const watched = new Watched<Read | NoFiles>({
			queries: this.#queries,
			key: ['dataset-files', path, ref],
			read: signal => readFiles(this.#client, {path, ref}, signal),
			// A folder of files is no thing that moves; r reads it again.
			paceMs: () => false,
		});
		watched.known.subscribe(({data, error}) => {
			if (this.#watched !== watched) return;
			const isNone = data instanceof NoFiles;
			const {answer, files} = data === undefined || isNone ? nothingRead : data;
			const raw = files === undefined ? answer : undefined;
			const trouble = isNone ? noFilesWords(data, ref) : error?.message;
			this.known.setState({path, ref, files, card: this.#cardOf(files?.readme), raw, trouble}, true);
		});
		this.#watched = watched;
		watched.watch();
	}

	/** The card of a text; one that is not read yet is, and shows when it is. */
	#cardOf(markdown: string | undefined): OpenedDataset['card'] {
		if (markdown === undefined) return undefined;
		if (this.#card?.markdown === markdown) return this.#card.read;
		this.#reading.abort();
		this.#reading = new AbortController();
		this.#card = {markdown, read: 'reading'};
		void this.#readCard(markdown, this.#reading.signal);
		return 'reading';
	}

	async #readCard(markdown: string, signal: AbortSignal): Promise<void> {
		try {
			const read = await readCard(markdown, signal);
			const opened = this.known.getState();
			if (signal.aborted || opened === undefined) return;
			this.#card = {markdown, read};
			this.known.setState({...opened, card: read}, true);
		} catch (error) {
			if (!signal.aborted) throw error;
		}
	}

	refetch(): void {
		this.#watched?.refetch();
	}
}

/** A dataset's card, read as Markdown. */
export type DatasetCard = {
	/** As it is written, as far as it is read. */
	readonly text: string;
	/** None where it could not be read, or not in time: then it shows as it is written. */
	readonly blocks: readonly CardBlock[] | undefined;
	/** It goes on. */
	readonly isCut: boolean;
};

/** More of a card is not read. */
const mostCharacters = 32_768;

/**
 * Reads a card in the thread of the pictures: Markdown can be written so that reading it takes the square of its length.
 *
 * @throws the signal's reason
 */
export async function readCard(markdown: string, signal: AbortSignal): Promise<DatasetCard> {
	const text = markdown.slice(0, mostCharacters);
	const isCut = markdown.length > text.length;
	try {
		return {text, blocks: await cardRead(text, signal), isCut};
	} catch {
		signal.throwIfAborted();
		return {text, blocks: undefined, isCut};
	}
}
