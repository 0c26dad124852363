/** Why a folder cannot be read as a dataset: a sentence that names the cause and the way out. */
export class DatasetError extends Error {
	override readonly name = 'DatasetError';
}

/** Something broken inside a dataset that is otherwise read. */
export type Problem = {
	/** The file, relative to the dataset's root. */
	readonly file: string;
	readonly episodeIndex?: number;
	readonly message: string;
	/** A training on the dataset would fail by it. */
	readonly preventsTraining?: boolean;
};

/** Collects problems as they are found. */
export type ReportProblem = (problem: Problem) => void;

/** The system's or library's own words, in one line. */
export function reasonOf(error: unknown): string {
	const text = error instanceof Error ? error.message : String(error);
	return text.split('\n', 1)[0]?.trim() || 'no reason given';
}
