import {type ChildProcess, spawn} from 'node:child_process';
import type {Readable, Writable} from 'node:stream';

/** Why ffmpeg gave nothing; `message` is the end of a sentence, and names no path of this machine. */
export class FfmpegError extends Error {
	override readonly name = 'FfmpegError';
	readonly kind: 'absent' | 'slow' | 'large' | 'failed';

	constructor(kind: FfmpegError['kind'], message: string) {
		super(message);
		this.kind = kind;
	}
}

type FfmpegRun = {
	/** As it is called; a path, or a name that the path is searched for. */
	readonly command: string;
	/** Behind those that every run has. Files are named as `fileUrl` writes them. */
	readonly args: readonly string[];
	/** Milliseconds after which it is ended. */
	readonly boundMs: number;
	/** Bytes of its output at most. */
	readonly mostBytes: number;
	/** Paths that its words must not give away. */
	readonly files: readonly string[];
	readonly onOutput: (chunk: Buffer) => void;
	/** Is given its standard input, which it must end. @default there is none */
	readonly onInput?: (input: Writable) => void;
	/** Ends it. */
	readonly signal?: AbortSignal;
};

/** Nothing is asked of a terminal, and a playlist in a video's clothes opens nothing but files. */
const always = ['-v', 'error', '-nostdin', '-protocol_whitelist', 'file,pipe'];

const keptWords = 4000;
const mostWords = 200;

/** A file as an argument: a name that begins with a hyphen, or holds a colon, is one all the same. */
export const fileUrl = (file: string): string => `file:${file}`;

/**
 * Runs ffmpeg to its end, without a shell, and ends it with this process.
 *
 * @throws {FfmpegError}
 */
export function runFfmpeg({
	command,
	args,
	boundMs,
	mostBytes,
	files,
	onOutput,
	onInput,
	signal,
}: FfmpegRun): Promise<void> {
	return new Promise((resolve, reject) => {
		const child = spawn(command, [...always, ...args], {
			stdio: [onInput ? 'pipe' : 'ignore', 'pipe', 'pipe'],
		});
		const {stdin, stdout, stderr} = child as ChildProcess & {stdout: Readable; stderr: Readable};
		const kill = () => child.kill('SIGKILL');
		process.once('exit', kill);
		signal?.addEventListener('abort', kill, {once: true});
		// One that ends early says itself why.
		stdin?.on('error', () => undefined);
		if (stdin) onInput?.(stdin);
		let words = '';
		let bytes = 0;
		const settle = (error?: FfmpegError) => {
			clearTimeout(bound);
			process.removeListener('exit', kill);
			signal?.removeEventListener('abort', kill);
			// Processes that it started may hold the pipes open.
			stdout.destroy();
			stderr.destroy();
			if (error) reject(error);
			else resolve();
		};
		const endWith = (error: FfmpegError) => {
			kill();
			settle(error);
		};
		const bound = setTimeout(
			() => endWith(new FfmpegError('slow', `ffmpeg took longer than ${Math.round(boundMs / 1000)} s`)),
			boundMs,
		);
		stdout.on('data', (chunk: Buffer) => {
			bytes += chunk.length;
			if (bytes > mostBytes) endWith(new FfmpegError('large', 'ffmpeg wrote more than it should'));
			else onOutput(chunk);
		});
		stderr.setEncoding('utf8').on('data', (chunk: string) => {
			if (words.length < keptWords) words += chunk.slice(0, keptWords);
		});
		child.once('error', (error: NodeJS.ErrnoException) => {
			const isAbsent = error.code === 'ENOENT';
			const message = isAbsent
				? 'ffmpeg is not on the path of the service'
				: `ffmpeg cannot be started (${error.code})`;
			settle(new FfmpegError(isAbsent ? 'absent' : 'failed', message));
		});
		child.once('close', (code, signal) => {
			if (code === 0) return settle();
			settle(new FfmpegError('failed', publicWords(words, files) || `it ended with ${signal ?? code}`));
		});
	});
}

/** The first line of what was said on stderr, short, without control characters and without paths of this machine. */
function publicWords(words: string, files: readonly string[]): string {
	let line = words.trim().split('\n', 1)[0] ?? '';
	for (const file of files) line = line.replaceAll(fileUrl(file), 'the video').replaceAll(file, 'the video');
	return line
		.replace(/(?:file:)?(?:\/[^\s/:'"]+)+\/?/g, '…')
		.replace(/ @ 0x[0-9a-f]+/g, '')
		.replace(/\p{Cc}+/gu, ' ')
		.slice(0, mostWords);
}
