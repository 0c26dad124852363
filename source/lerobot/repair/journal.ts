import {
	copyFile,
	link,
	lstat,
	mkdir,
	open,
	readdir,
	readFile,
	rename,
	rm,
	rmdir,
	unlink,
	writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import {DatasetError, reasonOf} from '../dataset-error.ts';

/** A file that a repair changes, relative to the dataset's root. */
export type FileChange = {
	readonly file: string;
	/** The absolute path of what takes its place, in the staging folder; undefined where the file is put aside. */
	readonly staged?: string | undefined;
};

type JournalEntry = {
	readonly file: string;
	/** It was there before. */
	readonly had: boolean;
	/** It is there afterwards. */
	readonly has: boolean;
	/** Bytes and time of what takes its place: if they differ at an undo, another program changed the file. */
	readonly size?: number;
	readonly modified?: number;
};

type Journal = {
	readonly state: 'applying' | 'applied' | 'undoing';
	readonly repairs: readonly string[];
	readonly made: string;
	readonly files: readonly JournalEntry[];
};

/** Folders that repairs of a dataset keep beside it, so that no upload of it takes them along. */
export const repairsFolder = (root: string): string =>
	path.join(path.dirname(root), `.${path.basename(root)}.lakescope-repairs`);

/** The journal of a dataset's newest repair, another process may be at work on it. */
async function newestJournal(root: string): Promise<Journal | undefined> {
	const folder = repairsFolder(root);
	const names = await readdir(folder).catch(() => []);
	const newest = names
		.filter(name => /^\d{4,}$/.test(name))
		.sort()
		.at(-1);
	if (newest === undefined) return undefined;
	const text = await readFile(path.join(folder, newest, journalName), 'utf8').catch(() => undefined);
	return text === undefined ? undefined : (JSON.parse(text) as Journal);
}

/** True if a repair or an undo of a dataset was killed, so that some files are as before it and some as after it. */
export async function isHalfRepaired(root: string): Promise<boolean> {
	const journal = await newestJournal(root);
	return journal !== undefined && journal.state !== 'applied';
}

/** The newest repair of a dataset, which an undo would take back; undefined where there is none. */
export async function newestRepair(
	root: string,
): Promise<{repairs: readonly string[]; made: string} | undefined> {
	const journal = await newestJournal(root);
	return journal && {repairs: journal.repairs, made: journal.made};
}

const lockName = 'lock';
const journalName = 'journal.json';

async function exists(file: string): Promise<boolean> {
	return lstat(file).then(
		() => true,
		() => false,
	);
}

async function flush(file: string): Promise<void> {
	const handle = await open(file, 'r');
	try {
		await handle.sync();
	} catch {
		// Some file systems cannot, folders least of all.
	} finally {
		await handle.close();
	}
}

/** Gives a file a second name in the repairs' folder, or copies it where that cannot be. */
async function keep(from: string, to: string): Promise<void> {
	await mkdir(path.dirname(to), {recursive: true});
	await rm(to, {force: true});
	await link(from, to).catch(async () => {
		await copyFile(from, to);
		await flush(to);
	});
}

/**
 * The repairs of one dataset, the newest last, each in a folder of its own: `old/` has every file as it was, `new/`
 * what takes its place, and the journal says what is to be done. Written before the first file is changed, it is what
 * makes a repair happen as a whole: one that was killed earlier never began, one that was killed later is finished by
 * the next process that opens the repairs.
 */
export class Repairs {
	readonly #root: string;
	readonly #folder: string;
	readonly #lock: string;
	/** The work of a killed process that this one finished. */
	finished: 'repair' | 'undo' | undefined;

	private constructor(root: string) {
		this.#root = root;
		this.#folder = repairsFolder(root);
		this.#lock = path.join(this.#folder, lockName);
	}

	/**
	 * Takes the dataset for one process and finishes what a killed one began.
	 *
	 * @param root as `realpath` gives it
	 * @throws {DatasetError} where the dataset cannot be written, or another process is repairing it
	 */
	static async open(root: string): Promise<Repairs> {
		const repairs = new Repairs(root);
		await repairs.#take();
		try {
			await repairs.#finish();
			return repairs;
		} catch (error) {
			await repairs.close();
			throw error;
		}
	}

	async #take(): Promise<void> {
		try {
			await mkdir(this.#folder, {recursive: true, mode: 0o700});
			// Tries to write in the dataset: a file system may be read-only below a folder that is not.
			const trial = path.join(this.#root, 'meta', `.lakescope-${process.pid}`);
			await writeFile(trial, '');
			await unlink(trial);
		} catch (error) {
			await rmdir(this.#folder).catch(() => undefined);
			throw new DatasetError(
				`${this.#root} cannot be repaired, as it or the folder that it lies in cannot be written (${reasonOf(error)}). Repair a copy of it.`,
			);
		}
		for (let attempt = 0; attempt < 2; attempt++) {
			try {
				await writeFile(this.#lock, `${process.pid}\n`, {flag: 'wx'});
				return;
			} catch (error) {
				if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
			}
			const pid = Number.parseInt(await readFile(this.#lock, 'utf8').catch(() => ''), 10);
			if (pid > 0 && pid !== process.pid && runs(pid)) {
				throw new DatasetError(`${this.#root} is being repaired by process ${pid}. Wait for it, or end it.`);
			}
			await rm(this.#lock, {force: true});
		}
		throw new DatasetError(`${this.#root} is being repaired by another process.`);
	}

	/** Lets others repair the dataset. */
	async close(): Promise<void> {
		await rm(this.#lock, {force: true});
		await rmdir(this.#folder).catch(() => undefined);
	}

	async #numbers(): Promise<string[]> {
		return (await readdir(this.#folder)).filter(name => /^\d{4,}$/.test(name)).sort();
	}

	async #journal(number: string): Promise<Journal | undefined> {
		const text = await readFile(path.join(this.#folder, number, journalName), 'utf8').catch(() => undefined);
		return text === undefined ? undefined : (JSON.parse(text) as Journal);
	}

	async #write(number: string, journal: Journal): Promise<void> {
		const file = path.join(this.#folder, number, journalName);
		await writeFile(`${file}.new`, `${JSON.stringify(journal, undefined, '\t')}\n`);
		await flush(`${file}.new`);
		await rename(`${file}.new`, file);
		await flush(path.dirname(file));
	}

	async #finish(): Promise<void> {
		for (const number of await this.#numbers()) {
			const journal = await this.#journal(number);
			if (!journal) await rm(path.join(this.#folder, number), {recursive: true, force: true});
			else if (journal.state === 'applying') {
				await this.#apply(number, journal);
				this.finished = 'repair';
			} else if (journal.state === 'undoing') {
				await this.#giveBack(number, journal);
				this.finished = 'undo';
			}
		}
	}

	/** A folder for new files, on the dataset's own file system. */
	async stage(): Promise<Staging> {
		const last = (await this.#numbers()).at(-1) ?? '0000';
		const number = String(Number(last) + 1).padStart(4, '0');
		const folder = path.join(this.#folder, number, 'new');
		await mkdir(folder, {recursive: true});
		return {number, folder};
	}

	/** True if a repair will be finished, whatever happens. */
	async isCommitted({number}: Staging): Promise<boolean> {
		return (await this.#journal(number)) !== undefined;
	}
	/** Removes what was staged and not applied. */
	async discard({number}: Staging): Promise<void> {
		await rm(path.join(this.#folder, number), {recursive: true, force: true});
	}

	/**
	 * Puts staged files in their places, `meta/info.json` last, and keeps those that were there.
	 *
	 * @param onStep called before and after each file is put in its place
	 */
	async apply(
		{number, folder}: Staging,
		repairs: readonly string[],
		changes: readonly FileChange[],
		onStep: () => void = () => undefined,
	): Promise<void> {
		const files: JournalEntry[] = [];
		const last = (file: string) => Number(file === 'meta/info.json');
		for (const {file, staged} of [...changes].sort((a, b) => last(a.file) - last(b.file))) {
			const place = path.join(this.#root, file);
			const before = await lstat(place).catch(() => undefined);
			if (before && !before.isFile())
				throw new DatasetError(`${file} is not a plain file: repair a copy of the dataset.`);
			if (before) await keep(place, path.join(this.#folder, number, 'old', file));
			if (staged === undefined) {
				files.push({file, had: before !== undefined, has: false});
				continue;
			}
			const target = path.join(folder, file);
			if (staged !== target) await keep(staged, target);
			await flush(target);
			const {size, mtimeMs: modified} = await lstat(target);
			files.push({file, had: before !== undefined, has: true, size, modified});
			onStep();
		}
		const journal: Journal = {state: 'applying', repairs, made: new Date().toISOString(), files};
		onStep();
		await this.#write(number, journal);
		onStep();
		await this.#apply(number, journal, onStep);
	}

	/** Can be done again from any point at which it was killed. */
	async #apply(number: string, journal: Journal, onStep: () => void = () => undefined): Promise<void> {
		for (const {file, has} of journal.files) {
			const place = path.join(this.#root, file);
			const staged = path.join(this.#folder, number, 'new', file);
			if (!has) {
				await rm(place, {force: true});
				await removeEmpty(this.#root, path.dirname(place));
			} else if (await exists(staged)) {
				await mkdir(path.dirname(place), {recursive: true});
				// Two names of one file: a rename would leave both.
				await rename(staged, place);
				await flush(path.dirname(place));
			}
			onStep();
		}
		await this.#write(number, {...journal, state: 'applied'});
		onStep();
		await rm(path.join(this.#folder, number, 'new'), {recursive: true, force: true});
	}

	/** The repair that the next undo takes back; undefined if there is none. */
	async newest(): Promise<
		{number: string; repairs: readonly string[]; made: string; files: readonly string[]} | undefined
	> {
		const number = (await this.#numbers()).at(-1);
		const journal = number === undefined ? undefined : await this.#journal(number);
		if (number === undefined || !journal) return undefined;
		return {number, repairs: journal.repairs, made: journal.made, files: journal.files.map(({file}) => file)};
	}

	/**
	 * Takes the newest repair back: every file is what it was, to the byte.
	 *
	 * @throws {DatasetError} where a file was changed since
	 */
	async undo(onStep: () => void = () => undefined): Promise<void> {
		const number = (await this.#numbers()).at(-1);
		const journal = number === undefined ? undefined : await this.#journal(number);
		if (number === undefined || !journal) throw new DatasetError(`${this.#root} has no repair to take back.`);
		for (const {file, has, size, modified} of journal.files) {
			const now = await lstat(path.join(this.#root, file)).catch(() => undefined);
			if ((now !== undefined) === has && (!now || (now.size === size && now.mtimeMs === modified))) continue;
			throw new DatasetError(
				`${file} was changed after the repair, and an undo would lose that. The file as it was before lies in ${path.join(this.#folder, number, 'old')}.`,
			);
		}
		const undoing: Journal = {...journal, state: 'undoing'};
		await this.#write(number, undoing);
		onStep();
		await this.#giveBack(number, undoing, onStep);
	}

	async #giveBack(number: string, journal: Journal, onStep: () => void = () => undefined): Promise<void> {
		for (const {file, had} of journal.files) {
			const place = path.join(this.#root, file);
			const old = path.join(this.#folder, number, 'old', file);
			if (!had) {
				await rm(place, {force: true});
				await removeEmpty(this.#root, path.dirname(place));
			} else if (await exists(old)) {
				await mkdir(path.dirname(place), {recursive: true});
				await rename(old, place);
				await flush(path.dirname(place));
			}
			onStep();
		}
		await rm(path.join(this.#folder, number), {recursive: true, force: true});
	}
}

export type Staging = {readonly number: string; readonly folder: string};

/** Removes folders that a repair emptied, up to the root. */
async function removeEmpty(root: string, folder: string): Promise<void> {
	for (let at = folder; at !== root && at.startsWith(root); at = path.dirname(at)) {
		try {
			await rmdir(at);
		} catch {
			return;
		}
	}
}

function runs(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
}
