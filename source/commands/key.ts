import {readConfig} from '../files/config.ts';
import {keyFileOf, writeKey} from '../files/key.ts';
import {places, resolvePath, shortPath} from '../files/places.ts';
import {readHidden} from '../terminal/hidden-line.ts';
import type {CommandLine} from './flags.ts';
import {exitCodes, UsageError} from './print/failure.ts';
import {say} from './print/output.ts';
import {chooseProfile} from './settings.ts';

/** More than any key has. */
const longestKey = 4096;

/** The same with blanks around it. */
const mostPiped = 64 * 1024;

/**
 * A key as it was typed or pasted: blanks and line ends around it are none of it.
 *
 * @throws {UsageError} for what can be no key; the message does not hold it.
 */
export function readKeyText(given: string): string {
	const key = given.trim();
	if (key === '') throw new UsageError('No key was given: nothing is kept.');
	if (key.length > longestKey) throw new UsageError('That is longer than any key: nothing is kept.');
	if (!/^[\x21-\x7e]+$/.test(key)) {
		throw new UsageError('A key is one word of letters, digits and signs, and that is not: nothing is kept.');
	}
	return key;
}

/** What a pipe gives, as far as a key may go: what has no end is not waited for. */
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

/** `lakescope key [--profile NAME]`: asks for a key without showing it, and keeps it for this user alone. */
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
		? await readHidden(`Key${whose} (it is not shown): `)
		: await readPiped(process.stdin);
	if (given === undefined) {
		say('Nothing is kept.');
		return exitCodes.failed;
	}
	const problem = await writeKey(file, readKeyText(given));
	if (problem !== undefined) throw new Error(problem);
	say(`The key${whose} is kept in ${shortPath(file)}, for you alone (0600).`);
	if (config.key !== undefined) say('The configuration holds a key too; the file goes before it.');
	return exitCodes.fine;
}
