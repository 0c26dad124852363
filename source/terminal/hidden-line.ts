/** What was typed so far, and whether it is over. */
type HiddenLine = {readonly text: string; readonly end: 'open' | 'done' | 'given-up'};

export const hiddenLineStart: HiddenLine = {text: '', end: 'open'};

/** The marks that terminals put around a paste. */
const pasteMarks = ['\u001b[200~', '\u001b[201~'] as const;

const longest = 65_536;

/** Takes what was typed or pasted: a line end ends the line, but not one that only stands before what was pasted. */
export function typedHidden(line: HiddenLine, data: string): HiddenLine {
	let {text} = line;
	const plain = pasteMarks.reduce((rest, mark) => rest.replaceAll(mark, ''), data);
	for (const [at, char] of [...plain].entries()) {
		if (char === '\u0003' || char === '\u0004') return {text: '', end: 'given-up'};
		if (char === '\r' || char === '\n') {
			const isLeading = text === '' && plain.slice(at).trim() !== '';
			if (isLeading) continue;
			return {text, end: 'done'};
		}
		if (char === '\u007f' || char === '\b') text = [...text].slice(0, -1).join('');
		else if (char === '\u0015') text = '';
		else if (text.length < longest) text += char;
	}
	return {text, end: 'open'};
}

/**
 * Asks for a line on the terminal, and shows nothing of it.
 *
 * @returns undefined where the user gave up.
 */
export function readHidden(question: string): Promise<string | undefined> {
	const {stdin, stderr} = process;
	// Whoever answers at once must not be shown either.
	stdin.setRawMode(true);
	stderr.write(question);
	stdin.setEncoding('utf8');
	return new Promise(resolve => {
		let line = hiddenLineStart;
		const finish = (text: string | undefined) => {
			stdin.off('data', take);
			stdin.off('end', give);
			stdin.setRawMode(false);
			stdin.pause();
			stderr.write('\n');
			resolve(text);
		};
		const give = () => finish(undefined);
		const take = (data: string) => {
			line = typedHidden(line, data);
			if (line.end !== 'open') finish(line.end === 'done' ? line.text : undefined);
		};
		stdin.on('data', take);
		stdin.once('end', give);
		stdin.resume();
	});
}
