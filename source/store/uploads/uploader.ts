import type {Preparation} from '../state/work.ts';

/** How far something is, for the line of it. */
export type Progress = Pick<Preparation, 'step' | 'share' | 'amount'>;

/** The upload that a folder would make. */
export type UploadCheck = {
	readonly folder: string;
	readonly name: string;
	readonly files: number;
	readonly bytes: number;
	readonly episodes: number;
	readonly frames: number;
	/** Bytes that the service does not hold; undefined where it does not say. */
	readonly newBytes: number | undefined;
	/** That nothing becomes a dataset there by sending it, where that is so: a hosted service is given the blobs alone. */
	readonly blobsAlone: string | undefined;
	/** Why nothing of it can be sent. */
	readonly refusal: string | undefined;
	/** Files that would be left behind, a sentence each. */
	readonly losses: readonly string[];
	/** Problems of the dataset, a line each, the first of `problemCount`. */
	readonly problems: readonly string[];
	readonly problemCount: number;
};

/** Sends datasets of this machine: what checks and sends them lies outside of the store. */
export type Uploader = {
	/** Where choosing begins. */
	readonly begin: string;
	/** The lake of this machine that datasets go into, as it is shown; undefined where they go to a hosted service. */
	readonly ownLake: string | undefined;
	check(folder: string, notify: (progress: Progress) => void, signal: AbortSignal): Promise<UploadCheck>;
	/**
	 * Sends what was checked, going on where an earlier sending stopped.
	 *
	 * @returns how it ended, in a sentence.
	 * @throws what it failed with, for people.
	 */
	send(
		check: UploadCheck,
		hands: {
			readonly notify: (progress: Progress) => void;
			readonly say: (sentence: string) => void;
			readonly signal: AbortSignal;
		},
	): Promise<string>;
};
