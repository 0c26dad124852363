/** Something in a filter line that cannot be read. */
export type QueryProblem = {
	/** Where it begins and how long it is, in UTF-16 units. */
	readonly offset: number;
	readonly length: number;
	/** Where it begins, counted in characters from 1. */
	readonly column: number;
	/** The text there; empty at the end of the line. */
	readonly found: string;
	/** The kind of text expected there, in words. */
	readonly expected: string;
	/** The texts that would fit there, as they would be typed; empty if any of the kind would. */
	readonly fits: readonly string[];
	/** All of it as one sentence. */
	readonly message: string;
};

/** Thrown inside the parser to leave a term; becomes a {@link QueryProblem} of the result. */
export class TermProblem extends Error {
	readonly problem: QueryProblem;

	constructor(problem: QueryProblem) {
		super(problem.message);
		this.problem = problem;
	}
}

const longestShown = 40;

function listed(fits: readonly string[]): string {
	if (fits.length < 2) return fits.join('');
	return `${fits.slice(0, -1).join(', ')} or ${fits.at(-1)}`;
}

export type ProblemWords = {
	/** The kind of text expected there, with its article: "a numeric field". */
	readonly expected: string;
	readonly fits?: readonly string[];
	/** The text is of the right kind and unknown, and the `fits` are what may have been meant. */
	readonly isGuess?: boolean;
	/** A way out that is not something to type at that place. */
	readonly hint?: string;
};

/** Describes what is wrong with `text` from `start` to `end`. */
export function describeProblem(
	text: string,
	{start, end}: {start: number; end: number},
	{expected, fits = [], isGuess = false, hint}: ProblemWords,
): QueryProblem {
	const found = text.slice(start, end);
	const column = [...text.slice(0, start)].length + 1;
	const shown = found.length > longestShown ? `${found.slice(0, longestShown)}…` : found;
	const named = shown.trim() || (found === '' ? 'the end' : 'a space');
	const way = hint ? ` (${hint})` : '';
	const ways = fits.length > 0 ? `: ${listed(fits)}` : '';
	const message = isGuess
		? `Column ${column}: ${named} is not ${expected}; did you mean ${listed(fits)}?${way}`
		: `Column ${column}: found ${named}, expected ${expected}${ways}${way}.`;
	return {offset: start, length: end - start, column, found, expected, fits, message};
}
