import {mkdirSync} from 'node:fs';
import path from 'node:path';
import type {Job} from './job.ts';

/** Where a job's files lie: under `jobs/<job_id>/` of the lake's folder, or where its trainer shares them. */
export class JobFolder {
	readonly jobId: string;
	readonly folder: string;

	constructor(lakeFolder: string, {jobId, filesIn}: Pick<Job, 'jobId' | 'filesIn'>) {
		this.jobId = jobId;
		this.folder = filesIn ?? path.join(lakeFolder, 'jobs', jobId);
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
