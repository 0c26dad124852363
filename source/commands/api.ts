import {buffer} from 'node:stream/consumers';
import type {KeyCover} from '../client/key-cover.ts';
import type {OpenAnswer} from '../client/transport.ts';
import {fileProblem} from '../files/file-problem.ts';
import {readFileOrPipe} from '../files/read-file.ts';
import {printable} from '../terminal/printable.ts';
import type {CommandLine} from './flags.ts';
import {exitCodes, UsageError} from './print/failure.ts';
import {say, write} from './print/output.ts';
import {noteIfSample, withService} from './session.ts';
import {readSettings, refuseReadOnly, type Settings} from './settings.ts';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** POSTs of the interface that change nothing, so that a read-only session may call them. */
const readingPosts = ['/v1/datasets/explore', '/local/v1/explore', '/v1/finetune/hyperparams/validate'];

async function readInput(input: string): Promise<Uint8Array> {
	if (input === '-') return buffer(process.stdin);
	try {
		return await readFileOrPipe(input);
	} catch (error) {
		throw new UsageError(`The input ${input} cannot be read: ${fileProblem(error)}.`);
	}
}

function readWords([method = '', path = '', ...rest]: readonly string[]): {method: string; path: string} {
	const upper = method.toUpperCase();
	if (!methods.includes(upper) || path === '' || rest.length > 0) {
		throw new UsageError(
			'lakescope api takes a method and a path: lakescope api GET /v1/datasets/list?limit=5',
		);
	}
	if (!path.startsWith('/') || path.startsWith('//')) {
		throw new UsageError(
			`The path must begin with one "/", and "${path}" does not: the service itself is named by --url or LAKESCOPE_URL.`,
		);
	}
	return {method: upper, path};
}

function checkAllowed(method: string, path: string, settings: Settings): void {
	const reads = method === 'GET' || method === 'HEAD' || readingPosts.includes(path.split('?')[0] ?? '');
	if (!reads) refuseReadOnly(settings, `${method} ${path} is not sent`);
}

/** A body in which nothing shows the key; every other byte as it came. */
async function* covered(body: AsyncIterable<Uint8Array>, cover: KeyCover): AsyncGenerator<Uint8Array, void> {
	const pieces = cover.pieces();
	for await (const chunk of body) {
		yield Buffer.from(pieces.next(Buffer.from(chunk).toString('latin1')), 'latin1');
	}
	yield Buffer.from(pieces.end(), 'latin1');
}

const lineEnd = 0x0a;

/**
 * Passes a body on: every byte as it came, but for a terminal, which must not be told what to do by it.
 *
 * @returns whether what was written ends with a line end.
 */
async function pass(body: AsyncIterable<Uint8Array>): Promise<boolean> {
	if (!process.stdout.isTTY) {
		let isEnded = true;
		for await (const chunk of body) {
			await write(chunk);
			if (chunk.length > 0) isEnded = chunk.at(-1) === lineEnd;
		}
		return isEnded;
	}
	const decoder = new TextDecoder();
	let last = '\n';
	for await (const chunk of body) {
		const text = decoder.decode(chunk, {stream: true});
		if (text === '') continue;
		last = text;
		await write(
			text
				.split('\n')
				.map(line => printable(line))
				.join('\n'),
		);
	}
	if (!last.endsWith('\n')) await write('\n');
	return true;
}

/** The exit code for a response's status; prints failures. */
function conclude({status, statusText}: OpenAnswer, call: string, isLineEnded: boolean): number {
	if (status >= 200 && status <= 299) return exitCodes.fine;
	// Both may show on one terminal, though the body went through a pipe.
	if (!isLineEnded && process.stderr.isTTY) process.stderr.write('\n');
	say(`lakescope: ${call}: ${status} ${statusText}`.trimEnd());
	return status === 401 || status === 403 ? exitCodes.refused : exitCodes.failed;
}

/** `lakescope api METHOD PATH [--input FILE]`: any call, with the configured key; the body as it came. */
export async function api({words, flags}: CommandLine): Promise<number> {
	const {method, path} = readWords(words);
	const settings = await readSettings(flags);
	checkAllowed(method, path, settings);
	if (flags.input !== undefined && (method === 'GET' || method === 'HEAD')) {
		throw new UsageError(`--input is a body, and ${method} has none.`);
	}
	const body = flags.input === undefined ? undefined : await readInput(flags.input);
	return withService(settings, async ({service, client}) => {
		noteIfSample(service);
		const answer = await client.raw({method, path, body});
		const {cover} = client;
		const isLineEnded = await pass(covered(answer.body, cover));
		const shown = {...answer, statusText: cover.text(answer.statusText)};
		return conclude(shown, `${method} ${path}`, isLineEnded);
	});
}
