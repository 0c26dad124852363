import {constants} from 'node:fs';
import {access, stat} from 'node:fs/promises';
import path from 'node:path';
import type {Writable} from 'node:stream';
import {runFfmpeg} from './run-ffmpeg.ts';

/** A question to ffmpeg about one video. */
type VideoQuestion = {
	readonly args: readonly string[];
	/** Bytes of the video that are gone through, from which follows how long it may take. */
	readonly bytes: number;
	/** The files that are named. */
	readonly files: readonly string[];
	/** Bytes of the answer at most. */
	readonly mostBytes?: number;
	readonly onOutput?: (chunk: Buffer) => void;
	/** Is given its standard input, which it must end. @default there is none */
	readonly onInput?: (input: Writable) => void;
	/** Ends it. */
	readonly signal?: AbortSignal;
};

/** A run goes through 2 MB a second at least, and takes less than what a child may be silent for. */
const usualBound = (bytes: number) => Math.min(240_000, 60_000 + bytes / 2000);

/** The ffmpeg of this machine. */
export class Ffmpeg {
	readonly #command: string;
	readonly #boundMs: (bytes: number) => number;

	/** @param boundMs milliseconds that a run may take which goes through so many bytes */
	constructor(command: string, boundMs: (bytes: number) => number = usualBound) {
		this.#command = command;
		this.#boundMs = boundMs;
	}

	/** @returns undefined where there is none on the path */
	static async find(): Promise<Ffmpeg | undefined> {
		const command = await findFfmpeg();
		return command === undefined ? undefined : new Ffmpeg(command);
	}

	/** @throws {FfmpegError} */
	run({bytes, mostBytes = 64 * 1024, onOutput = () => undefined, ...rest}: VideoQuestion): Promise<void> {
		return runFfmpeg({command: this.#command, boundMs: this.#boundMs(bytes), mostBytes, onOutput, ...rest});
	}

	/**
	 * Runs it on a video and gives its output line by line.
	 *
	 * @throws {FfmpegError}
	 */
	async lines(question: Omit<VideoQuestion, 'onOutput'>, onLine: (line: string) => void): Promise<void> {
		let rest = '';
		const onOutput = (chunk: Buffer) => {
			const lines = (rest + chunk.toString('latin1')).split('\n');
			rest = (lines.pop() ?? '').slice(0, longestLine);
			for (const line of lines) onLine(line);
		};
		await this.run({...question, onOutput});
		if (rest !== '') onLine(rest);
	}
}

const longestLine = 4096;

/** The first `ffmpeg` on the path; a relative folder there is passed over, as it would be another one elsewhere. */
async function findFfmpeg(env: NodeJS.ProcessEnv = process.env): Promise<string | undefined> {
	for (const folder of (env.PATH ?? '').split(path.delimiter)) {
		if (!path.isAbsolute(folder)) continue;
		const file = path.join(folder, 'ffmpeg');
		try {
			await access(file, constants.X_OK);
			if ((await stat(file)).isFile()) return file;
		} catch {
			// Not there, or not ours to run: perhaps in the next folder.
		}
	}
	return undefined;
}
