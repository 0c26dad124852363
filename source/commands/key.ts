import {readConfig} from '../files/config.ts';
import {keyFileOf, writeKey} from '../files/key.ts';
import {places, resolvePath, shortPath} from '../files/places.ts';
import type {CommandLine} from './flags.ts';
import {ask} from './print/ask.ts';
import {exitCodes, UsageError} from './print/failure.ts';
import {say} from './print/output.ts';
import {chooseProfile} from './settings.ts';

/** More than any key has. */
const longestKey = 4096;

/** The same with blanks around it. */
const mostPiped = 64 * 1024;

/**
 * A key as it was typed or pasted: blanks and line ends around it are dropped.
 *
 * @throws {UsageError} for text that cannot be a key; the message does not contain it.
 */
export function readKeyText(given: string): string {
	const key = given.trim();
	if (key === '') throw new UsageError('No key was given: nothing is stored.');
	if (key.length > longestKey) throw new UsageError('That is longer than any key: nothing is stored.');
	if (!/^[\x21-\x7e]+$/.test(key)) {
		throw new UsageError(
			'A key is one word of letters, digits and signs, and this is not: nothing is stored.',
		);
	}
	return key;
}

/** Reads a pipe, up to what a key can be: a pipe without end is cut. */
async function readPiped(stream: NodeJS.ReadStream): Promise<string> {
	const pieces: Buffer[] = [];
	let length = 0;
	for await (const piece of stream as AsyncIterable<Buffer>) {
		pieces.push(piece);
		length += piece.length;
		if (length > mostPiped) break;
	}
	return Buffer.concat(pieces).toString('utf8');
}

/** `lakescope key [--profile NAME]`: asks for a key without showing it, and stores it for this user alone. */
export async function key({words, flags}: CommandLine): Promise<number> {
	if (words.length > 0) {
		throw new UsageError(
			'A key is never taken from the command line, where others can read it: lakescope key asks for it.',
		);
	}
	const reading = await readConfig();
	const profile = chooseProfile(reading, flags, process.env);
	const config = profile?.config ?? reading.config;
	const file =
		config.keyFile === undefined ? keyFileOf(profile?.name) : resolvePath(config.keyFile, places().config);
	const whose = profile === undefined ? '' : ` of ${profile.name}`;
	const given = process.stdin.isTTY
		? await ask(`Key${whose} (it is not shown): `, {isSecret: true})
		: await readPiped(process.stdin);
	if (given === undefined) {
		say('Nothing is stored.');
		return exitCodes.failed;
	}
	const problem = await writeKey(file, readKeyText(given));
	if (problem !== undefined) throw new Error(problem);
	say(`The key${whose} is stored in ${shortPath(file)} (0600, for you alone).`);
	if (config.key !== undefined) say('The configuration holds a key too; the file takes precedence.');
	return exitCodes.fine;
}
