import {createInterface} from 'node:readline/promises';

/** Asks for a line on the terminal; undefined where the user gave up. */
export async function readLine(question: string): Promise<string | undefined> {
	const {stdin, stderr} = process;
	const lines = createInterface({input: stdin, output: stderr});
	const givenUp = new AbortController();
	lines.once('SIGINT', () => givenUp.abort());
	lines.once('close', () => givenUp.abort());
	try {
		return await lines.question(question, {signal: givenUp.signal});
	} catch (error) {
		if (!givenUp.signal.aborted) throw error;
		stderr.write('\n');
		return undefined;
	} finally {
		lines.close();
	}
}

/** Whether an answer is a yes; no answer is none. */
export function isYes(answer: string | undefined): boolean {
	return /^\s*y(es)?\s*$/i.test(answer ?? '');
}
