import {stat} from 'node:fs/promises';
import type {IncomingMessage, ServerResponse} from 'node:http';
import type {Refusal} from '../host/refusal.ts';
import {callerOf} from './caller.ts';
import {type AccessKey, type KeysFile, readKeysFile} from './keys-file.ts';
import {createNetworkAdmission} from './network-admission.ts';

/** How often the keys file is looked at: a key that was taken out of it works no longer than this. */
const lookMs = 1000;

/** Identifies the state of a file, or the error of reading it. */
function stampOf(file: string): Promise<string> {
	return stat(file, {bigint: true}).then(
		({ino, size, mode, uid, mtimeNs, ctimeNs}) => [ino, size, mode, uid, mtimeNs, ctimeNs].join(),
		(error: NodeJS.ErrnoException) => error.code ?? 'unreadable',
	);
}

const counted = (keys: readonly AccessKey[]) => `${keys.length} ${keys.length === 1 ? 'key' : 'keys'}`;

type LiveKeysOptions = {
	readonly file: string;
	/** As they were read at the start. */
	readonly keys: KeysFile;
	readonly publicUrl?: string | undefined;
	/** The one account that this service holds. */
	readonly account: string;
	/** Is told what became of the file when it changed. */
	readonly notify: (sentence: string) => void;
};

/** The callers from other machines that the keys file allows now. */
export class LiveKeys {
	readonly #options: LiveKeysOptions;
	/** Open responses, so that the streams of a removed key can be closed. */
	readonly #open = new Set<{readonly key: string; readonly response: ServerResponse}>();
	readonly #timer: NodeJS.Timeout;
	#keys: KeysFile;
	#admit: (request: IncomingMessage) => Refusal | undefined;
	/** Unknown at first: the file may have changed since it was read. */
	#stamp = '';
	#isLooking = false;

	constructor(options: LiveKeysOptions) {
		this.#options = options;
		this.#keys = options.keys;
		this.#admit = this.#admission();
		this.#timer = setInterval(() => void this.#look(), lookMs).unref();
	}

	/** @returns why a request is refused, or undefined */
	readonly admit = (request: IncomingMessage): Refusal | undefined => this.#admit(request);

	/** Keeps a request in mind for as long as it is answered. */
	follow(request: IncomingMessage, response: ServerResponse): void {
		const key = callerOf({incoming: request})?.key;
		if (key === undefined) return;
		const entry = {key, response};
		this.#open.add(entry);
		response.once('close', () => this.#open.delete(entry));
	}

	close(): void {
		clearInterval(this.#timer);
	}

	#admission() {
		const {publicUrl, account} = this.#options;
		return createNetworkAdmission({keys: this.#keys, publicUrl}, account);
	}

	async #look(): Promise<void> {
		if (this.#isLooking) return;
		this.#isLooking = true;
		try {
			const stamp = await stampOf(this.#options.file);
			if (stamp === this.#stamp) return;
			await this.#read();
			this.#stamp = stamp;
		} finally {
			this.#isLooking = false;
		}
	}

	async #read(): Promise<void> {
		const {file, notify} = this.#options;
		const before = this.#keys;
		let keys: KeysFile;
		try {
			keys = await readKeysFile(file);
		} catch (error) {
			const reason = error instanceof Error ? error.message : String(error);
			notify(`${reason} The ${counted(before.keys)} read from it before stay valid until it can be used.`);
			return;
		}
		const isSame = JSON.stringify(keys) === JSON.stringify(before);
		this.#keys = keys;
		this.#admit = this.#admission();
		this.#closeStreams();
		if (!isSame || this.#stamp !== '') notify(`The keys file ${file} was read again: ${counted(keys.keys)}.`);
	}

	/** A request whose answer has not begun is still answered: it came while the key was valid, and may have changed something. */
	#closeStreams(): void {
		const {account} = this.#options;
		const valid = new Set(
			this.#keys.keys
				.filter(({accounts}) => accounts.some(each => each.toLowerCase() === account))
				.map(({sha256}) => sha256),
		);
		for (const {key, response} of this.#open) {
			if (!valid.has(key) && response.headersSent) response.destroy();
		}
	}
}
