import type {Problem} from '../../lerobot/dataset-error.ts';

/** How far an ingest is. */
type Progress = {
	readonly done: number;
	readonly total: number;
	readonly step: string;
	/** The file at hand, relative to the dataset's root. */
	readonly detail?: string;
};

/** Milliseconds between two lines of progress. */
const progressPause = 100;

/** Problems that are told one by one; a dataset with more of them is broken as a whole. */
const maxProblems = 1000;

const maxMessageLength = 2000;

/** A problem as it goes over the line and into `dataset.json`. */
export type ReportedProblem = {
	readonly file: string;
	readonly episode_index?: number;
	readonly message: string;
	readonly prevents_training?: true;
};

/** Tells the service how an ingest goes, one JSON object a line. */
export class Reporter {
	readonly #write: (line: string) => void;
	readonly #now: () => number;
	readonly #problems: ReportedProblem[] = [];
	#problemCount = 0;
	#lastProgress = Number.NEGATIVE_INFINITY;
	#lastStep = '';

	/** @param write takes a line with its line feed. */
	constructor(write: (line: string) => void, now: () => number = () => performance.now()) {
		this.#write = write;
		this.#now = now;
	}

	/** Says it at most ten times a second, but each step at least once. */
	progress({done, total, step, detail}: Progress): void {
		const now = this.#now();
		if (step === this.#lastStep && now - this.#lastProgress < progressPause) return;
		this.#lastStep = step;
		this.#lastProgress = now;
		this.#say({type: 'progress', done, total, unit: 'episodes', step, ...(detail && {detail})});
	}

	readonly problem = ({file, episodeIndex, message, preventsTraining}: Problem): void => {
		// That nothing can be trained is told of the most broken dataset too.
		const isFirst = preventsTraining === true && !this.#problems.some(each => each.prevents_training);
		if (this.#problemCount++ >= maxProblems && !isFirst) return;
		const problem: ReportedProblem = {
			file,
			...(episodeIndex !== undefined && {episode_index: episodeIndex}),
			message: message.slice(0, maxMessageLength),
			...(preventsTraining && {prevents_training: true as const}),
		};
		this.#problems.push(problem);
		this.#say({type: 'problem', ...problem});
	};

	done(episodeCount: number, totalFrames: number): void {
		this.#say({type: 'done', episode_count: episodeCount, total_frames: totalFrames});
	}

	failed(message: string): void {
		this.#say({type: 'failed', message: message.slice(0, maxMessageLength)});
	}

	/** The problems told, and how many were not told beyond them. */
	get problems(): readonly ReportedProblem[] {
		const untold = this.#problemCount - this.#problems.length;
		if (untold === 0) return this.#problems;
		return [
			...this.#problems,
			{file: '.', message: `${untold} more problems of this dataset are not listed.`},
		];
	}

	#say(report: object): void {
		this.#write(`${JSON.stringify(report)}\n`);
	}
}
