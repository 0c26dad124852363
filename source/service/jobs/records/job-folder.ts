import {mkdirSync} from 'node:fs';
import path from 'node:path';

/** Where a job's files lie, under `jobs/<job_id>/` of the lake's folder. */
export class JobFolder {
	readonly jobId: string;
	readonly folder: string;

	constructor(lakeFolder: string, jobId: string) {
		this.jobId = jobId;
		this.folder = path.join(lakeFolder, 'jobs', jobId);
	}

	/** The trainer's output. */
	get log(): string {
		return path.join(this.folder, 'train.log');
	}

	/** The numbers in its output, by step. */
	get series(): string {
		return path.join(this.folder, 'series.jsonl');
	}

	/** Where the trainer writes checkpoints; LeRobot creates it itself. */
	get output(): string {
		return path.join(this.folder, 'output');
	}

	/** The exit code of a launch; the first launch is 1. */
	exitFile(launch: number): string {
		return path.join(this.folder, `exit-${launch}`);
	}

	make(): void {
		mkdirSync(this.folder, {recursive: true, mode: 0o700});
	}
}
