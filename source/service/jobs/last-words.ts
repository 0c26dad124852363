import {stripVTControlCharacters} from 'node:util';
import {readLogWindow} from './trainer/log-window.ts';

const readBytes = 8192;
const longest = 400;

/** The last thing that a trainer said, for the sentence that tells of its end. */
export async function lastWords(logFile: string): Promise<string> {
	const {text} = await readLogWindow(logFile, -readBytes, readBytes);
	const lines = stripVTControlCharacters(text)
		.split(/[\r\n]+/)
		.map(line => line.replace(/\p{Cc}+/gu, ' ').trim())
		.filter(
			line => line !== '' && !line.startsWith('[lakescope]') && line !== 'Terminated' && line !== 'Killed',
		);
	return (lines.at(-1) ?? '').slice(0, longest);
}
