import {describeProblem, type ProblemWords, TermProblem} from './problem.ts';
import {readQuoted} from './quoting.ts';

/** A place in a filter line that moves forward as it is read. */
export class Scanner {
	readonly text: string;
	/** In UTF-16 units. */
	at = 0;

	constructor(text: string) {
		this.text = text;
	}

	get ended(): boolean {
		return this.at >= this.text.length;
	}

	/** True if a term may end here. */
	get atBoundary(): boolean {
		return this.ended || /\s/u.test(this.text[this.at] ?? '');
	}

	skipSpace(): void {
		this.take(/\s+/uy);
	}

	/** True if `text` is here. */
	sees(text: string): boolean {
		return this.text.startsWith(text, this.at);
	}

	/** Takes `text` if it stands here. */
	takeText(text: string): boolean {
		if (!this.sees(text)) return false;
		this.at += text.length;
		return true;
	}

	/** Takes what a sticky expression matches here. */
	take(sticky: RegExp): string | undefined {
		sticky.lastIndex = this.at;
		const match = sticky.exec(this.text)?.[0];
		if (match !== undefined) this.at += match.length;
		return match;
	}

	/** Takes a quoted text; a quote stands here. */
	takeQuoted(): string {
		const start = this.at;
		const read = readQuoted(this.text, start);
		if (read.ok) {
			this.at = read.end;
			return read.value;
		}
		this.at = this.text.length;
		if (read.why === 'open') {
			this.fail(start, this.text.length, {expected: 'a closing quote'});
		}
		const escaped = String.fromCodePoint(this.text.codePointAt(read.at + 1) ?? 0);
		this.fail(read.at, Math.min(read.at + 1 + escaped.length, this.text.length), {
			expected: 'an escape',
			fits: ['\\\\', '\\"', '\\n', '\\r', '\\t', '\\u{…}'],
			hint: 'a backslash itself is written twice',
		});
	}

	/** Moves to the end of the word that begins at `start`: the next space outside quotes. */
	skipWord(start: number): void {
		this.at = start;
		while (!this.atBoundary) {
			if (!this.sees('"')) {
				this.at++;
				continue;
			}
			const read = readQuoted(this.text, this.at);
			this.at = read.ok ? read.end : this.text.length;
		}
	}

	/** The word that begins at `start`, to the next space. */
	wordEnd(start: number): number {
		const space = /\s/gu;
		space.lastIndex = start;
		return space.exec(this.text)?.index ?? this.text.length;
	}

	/** Leaves the term with a problem. */
	fail(start: number, end: number, words: ProblemWords): never {
		throw new TermProblem(describeProblem(this.text, {start, end}, words));
	}
}
