import {mkdirSync, statSync} from 'node:fs';
import path from 'node:path';

/** Where a job's files lie, under `jobs/<job_id>/` of the lake's folder. */
export class JobFolder {
	readonly folder: string;

	constructor(lakeFolder: string, jobId: string) {
		this.folder = path.join(lakeFolder, 'jobs', jobId);
	}

	/** What the trainer prints. */
	get log(): string {
		return path.join(this.folder, 'train.log');
	}

	/** Where the trainer writes; LeRobot wants to make it itself. */
	get output(): string {
		return path.join(this.folder, 'output');
	}

	/** Where the exit code of a launch is left. */
	exitFile(launch: number): string {
		return path.join(this.folder, `exit-${launch}`);
	}

	logSize(): number {
		return statSync(this.log, {throwIfNoEntry: false})?.size ?? 0;
	}

	make(): void {
		mkdirSync(this.folder, {recursive: true, mode: 0o700});
	}
}
