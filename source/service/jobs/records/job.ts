import type {z} from 'zod';
import type {finetuneRequest} from '../../../contract/finetune.ts';
import type {JobStatus} from '../../../contract/vocabulary.ts';
import type {PhaseHistory} from './phases.ts';

/** Section 4.3's request with its defaults filled in; its type may be any that LeRobot has. */
export type FinetuneOrder = Omit<z.output<typeof finetuneRequest>, 'vla_type'> & {readonly vla_type: string};

/** By this a trainer knows a training again; only the trainer itself reads it. */
export type TrainerHandle = Readonly<Record<string, string | number>>;

export type Checkpoint = {readonly step: number; readonly folder: string};

/** How far the trainer says it is. */
export type Progress = {
	readonly step: number;
	/** When it said so. */
	readonly at: string;
	readonly stepsPerSecond: number | null;
	readonly loss: number | null;
};

/** Where a training stands in its trainer's own queue. */
export type Standing = {
	/** The queue's word for it, as PENDING. */
	readonly state: string;
	/** Why it waits, in the queue's word. */
	readonly reason: string | null;
	/** Its place among those that wait, from 1, and how many those are. */
	readonly place: number | null;
	readonly of: number | null;
	readonly node: string | null;
	/** The queue's own id of it. */
	readonly id: string | null;
	readonly waits: boolean;
	/** How often the queue began it again. */
	readonly restarts: number;
	/** All that in a sentence. */
	readonly words: string;
};

/** Why a trainer that runs is being ended from here. */
type Ending = 'stop' | 'hours';

/** One fine-tune as the operations file keeps it. Times are ISO 8601 in UTC. */
export type Job = {
	readonly jobId: string;
	readonly projectId: string;
	readonly name: string;
	readonly order: FinetuneOrder;
	readonly datasetId: string;
	readonly datasetName: string;
	/** The dataset's root when the job was ordered. */
	readonly datasetFolder: string;
	/** The trainer's name for `model_id`: a hub name or a folder. */
	readonly baseModel: string | null;
	/** The trainer's command as its words; null for a rehearsal. */
	readonly trainer: readonly string[] | null;
	/** The `kind` of that trainer; absent in jobs of versions that had the local one alone. */
	readonly trainerKind?: string;
	readonly status: JobStatus;
	readonly phases: PhaseHistory;
	readonly message: string | null;
	readonly createdAt: string;
	readonly updatedAt: string;
	/** When it was last put in the queue. */
	readonly queuedAt: string;
	readonly startedAt: string | null;
	/** When the hours are over. */
	readonly deadlineAt: string | null;
	readonly endedAt: string | null;
	/** How often the trainer was begun again by itself since the job was last started. */
	readonly retries: number;
	/** How often a trainer was started at all: the number of the last launch. */
	readonly launches: number;
	readonly run: TrainerHandle | null;
	/** True while that trainer has a handle and may not have begun; absent in jobs of earlier versions. */
	readonly isStarting?: boolean;
	/** Absent where the trainer has no queue of its own, and in jobs of earlier versions. */
	readonly standing?: Standing | null;
	/** Where its files lie, if not in the lake's folder. */
	readonly filesIn?: string;
	readonly ending: Ending | null;
	readonly command: readonly string[];
	/** The steps that the trainer is asked for. */
	readonly steps: number | null;
	readonly progress: Progress | null;
	readonly checkpoint: Checkpoint | null;
	/** When the last checkpoint was seen. */
	readonly checkpointAt: string | null;
	/** How much of the log has been read, in bytes. */
	readonly logRead: number;
};

/** The trainer that a job is given to. */
export type JobTrainer = Pick<Job, 'trainer' | 'trainerKind'>;

/** The status to tell: a training that waits in its trainer's own queue is queued. */
export const toldStatus = ({status, standing}: Pick<Job, 'status' | 'standing'>): JobStatus =>
	status === 'running' && standing?.waits ? 'queued' : status;

export const isOver = ({status}: Job): boolean => status !== 'queued' && status !== 'running';

export const isRehearsal = ({trainer}: Pick<Job, 'trainer'>): boolean => trainer === null;

/** The message of a rehearsal, wherever one can stand. */
export const rehearsalMessage =
	'This is a rehearsal: it walks through the phases of a training, trains nothing and yields no model.';
