import {randomUUID} from 'node:crypto';
import type {DatabaseSync} from 'node:sqlite';
import type {FinetuneCreated} from '../../contract/finetune.ts';
import type {FinetuneLine} from '../../contract/local-finetune.ts';
import {Refusal} from '../host/refusal.ts';
import type {DatasetDetails, LakeEngine} from '../lake/engine.ts';
import {inTransaction} from '../operations/transaction.ts';
import type {JobRunner} from './job-runner.ts';
import {startArguments, stepsOf} from './lerobot/command-line.ts';
import {type FinetuneOrder, isRehearsal, type Job, type JobTrainer, rehearsalMessage} from './records/job.ts';
import type {JobLinks} from './records/job-links.ts';
import type {JobStore} from './records/job-store.ts';
import type {Model, ModelStore} from './records/model-store.ts';
import {pendingPhases} from './records/phases.ts';
import type {ProjectStore} from './records/project-store.ts';
import {orderProblems} from './rules/finetune-rules.ts';
import {named, type OrderProblem} from './rules/problem.ts';
import {findDataset} from './rules/training-dataset.ts';
import {type Trainer, type TrainerFinding, type Trainers, UnknownTrainerError} from './trainers/trainer.ts';
import {type Lerobot, lerobotName, releaseOf, unknownLerobot} from './vla/releases.ts';
import {typeFacts} from './vla/vla-types.ts';

type ServiceParts = {
	readonly database: DatabaseSync;
	readonly lake: Pick<LakeEngine, 'details' | 'datasets'>;
	readonly projects: ProjectStore;
	readonly jobs: JobStore;
	readonly models: ModelStore;
	readonly links: JobLinks;
	readonly runner: JobRunner;
	readonly trainers: Trainers;
};

/** Where fine-tunes are ordered (4.3): checked, written down, and put in the queue. */
export class FinetuneService {
	readonly #parts: ServiceParts;

	constructor(parts: ServiceParts) {
		this.#parts = parts;
	}

	/**
	 * @throws {Refusal} with a `detail` that names each wrong field and what would fit: `absent` for an unknown project or
	 * dataset, `malformed` for the rest, `unavailable` for a trainer that is configured and cannot be run
	 */
	async order(order: FinetuneOrder): Promise<FinetuneCreated> {
		const {projects, models, runner} = this.#parts;
		if (!projects.has(order.project_id)) throw this.#unknownProject(order.project_id);
		const dataset = await findDataset(this.#parts.lake, order.dataset_id);
		if (!dataset) throw await this.#unknownDataset(order.dataset_id);
		const chosen = await this.#trainerFor(order);
		const trainer = await usableTrainer(chosen);
		const lerobot = await lerobotOf(chosen, trainer);
		const problems = orderProblems(order, dataset, trainer.kind === 'found', lerobot);
		if (problems.length > 0) throw refusalOf(problems);
		const base = order.model_id ? models.get(order.model_id) : undefined;
		const job = newJob(order, dataset, this.#given(trainer, chosen), base, chosen.queue);
		this.#write(job, base);
		runner.pump();
		return {
			job_id: job.jobId,
			status: job.status,
			message: creationMessage(order, dataset, trainer, lerobot, chosen),
		};
	}

	/**
	 * The command that would train an order, for who trains it elsewhere; the paths in it are this machine's.
	 *
	 * @param version of LeRobot that it is for; else the one of this machine, or the newest that is known
	 * @throws {Refusal} as `order` does, for all but an unknown project
	 */
	async line(order: FinetuneOrder, version: string | undefined): Promise<FinetuneLine> {
		const dataset = await findDataset(this.#parts.lake, order.dataset_id);
		if (!dataset) throw await this.#unknownDataset(order.dataset_id);
		const lerobot =
			version === undefined
				? await this.lerobotAtOnce()
				: {version, release: releaseOf(version), configurations: undefined};
		const problems = orderProblems(order, dataset, true, lerobot ?? unknownLerobot);
		if (problems.length > 0) throw refusalOf(problems);
		const base = order.model_id ? this.#parts.models.get(order.model_id) : undefined;
		const job = newJob(order, dataset, {trainer: [], trainerKind: 'elsewhere'}, base);
		const output = `outputs/train/${job.name.replace(/[^\p{L}\p{N}._-]+/gu, '_').slice(0, 100)}`;
		const which = lerobot ? lerobotName(lerobot) : 'a LeRobot newer than 0.6.1, as none was found here';
		return {
			command: ['lerobot-train', ...startArguments(job, output, lerobot)],
			message: `It is for ${which}. Nothing ends it after ${order.hours} h but its steps.`,
		};
	}

	/** The LeRobot of the chosen trainer; undefined while that is not known, and where it does not tell. */
	async lerobotAtOnce(): Promise<Lerobot | undefined> {
		const chosen = await this.#parts.trainers.for({});
		const found = await chosen.find();
		const lerobot = found.kind === 'found' ? await chosen.lerobot(found.command, 'none') : undefined;
		return lerobot === 'asking' ? undefined : lerobot;
	}

	/**
	 * The same, waited for, with a sentence about it.
	 *
	 * @throws {Refusal} `unavailable` while it is being found out
	 */
	async lerobotHere(): Promise<{readonly lerobot: Lerobot | undefined; readonly message: string}> {
		const chosen = await this.#parts.trainers.for({});
		const trainer = await usableTrainer(chosen);
		const lerobot = await lerobotOf(chosen, trainer);
		if (lerobot) return {lerobot, message: `${trainer.message} It is ${lerobotName(lerobot)}.`};
		const untold = trainer.kind === 'found' ? ' It does not tell which LeRobot it is.' : '';
		return {lerobot, message: `${trainer.message}${untold}`};
	}

	/**
	 * Puts a job that has ended in the queue again.
	 *
	 * @throws {Refusal} `conflict` for one that has not ended, has done all its steps, or has no trainer any more
	 */
	async restart(job: Job): Promise<Job> {
		const chosen = await this.#parts.trainers.of(job).catch((error: Error) => {
			throw new Refusal('conflict', error.message);
		});
		const trainer = isRehearsal(job) ? undefined : await usableTrainer(chosen);
		const latest = this.#parts.jobs.require(job.jobId);
		if (latest.status === 'queued' || latest.status === 'running') {
			throw new Refusal('conflict', `The job has not ended: it is ${latest.status}. Stop it first.`);
		}
		if (latest.status === 'completed' && (latest.checkpoint?.step ?? 0) >= (latest.steps ?? 0) && trainer) {
			throw new Refusal(
				'conflict',
				`The job has done all its ${latest.steps} steps. Start another with its model as model_id to train on.`,
			);
		}
		if (trainer?.kind === 'absent') throw new Refusal('conflict', trainer.message);
		return this.#parts.runner.restart(latest, this.#given(trainer, chosen));
	}

	/** @throws {Refusal} `malformed` for an `instance_type` or `region` that names no trainer */
	async #trainerFor(order: FinetuneOrder): Promise<Trainer> {
		try {
			return await this.#parts.trainers.for(order);
		} catch (error) {
			if (error instanceof UnknownTrainerError) throw new Refusal('malformed', `${error.message}.`);
			throw error;
		}
	}

	/** The chosen trainer where it was found, else the rehearsal. */
	#given(finding: TrainerFinding | undefined, chosen: Trainer): JobTrainer {
		const {rehearsal} = this.#parts.trainers;
		return finding?.kind === 'found'
			? {trainer: finding.command, trainerKind: chosen.kind}
			: {trainer: null, trainerKind: rehearsal.kind};
	}

	#write(job: Job, base: Model | undefined): void {
		const {database, jobs, links} = this.#parts;
		inTransaction(database, () => {
			links.add(job.datasetId, job.jobId, 'input', job.projectId);
			if (base) links.add(base.artifactId, job.jobId, 'input', job.projectId);
			jobs.insert(job);
		});
		jobs.notify(job);
	}

	#unknownProject(projectId: string): Refusal {
		const names = this.#parts.projects.someNames(5);
		const known = names.length === 0 ? 'There is none yet' : `The newest are named ${named(names)}`;
		return new Refusal(
			'absent',
			`project_id: there is no project ${projectId}. ${known}; POST /v1/projects makes one and gives its id.`,
		);
	}

	async #unknownDataset(wanted: string): Promise<Refusal> {
		const {items} = await this.#parts.lake.datasets({limit: 12, sort: 'newest'});
		const paths = items.map(({path}) => path);
		const known = paths.length === 0 ? 'The lake holds none yet' : `The lake holds ${named(paths)}`;
		const asked = JSON.stringify(wanted.slice(0, 200));
		return new Refusal(
			'absent',
			`dataset_id: there is no dataset ${asked}. ${known}; give a path, a name or an id.`,
		);
	}
}

/** @throws {Refusal} `unavailable` where the configured trainer cannot be run: a rehearsal is no substitute */
async function usableTrainer(trainer: Trainer): Promise<Exclude<TrainerFinding, {kind: 'broken'}>> {
	const found = await trainer.find();
	if (found.kind === 'broken') throw new Refusal('unavailable', found.message);
	return found;
}

/**
 * The LeRobot that would train; undefined for a rehearsal, and for a trainer that does not tell.
 *
 * @throws {Refusal} `unavailable` while that is being found out: a line for another one would be refused by it
 */
async function lerobotOf(trainer: Trainer, finding: TrainerFinding): Promise<Lerobot | undefined> {
	if (finding.kind !== 'found') return undefined;
	const lerobot = await trainer.lerobot(finding.command);
	if (lerobot !== 'asking') return lerobot;
	throw new Refusal(
		'unavailable',
		'The LeRobot version of the trainer is still being checked: send the request again in a moment.',
		10,
	);
}

const refusalOf = (problems: readonly OrderProblem[]): Refusal =>
	new Refusal('malformed', problems.map(({field, message}) => `${field}: ${message}.`).join(' '));

function newJob(
	order: FinetuneOrder,
	dataset: DatasetDetails,
	trainer: JobTrainer,
	base: Model | undefined,
	queue?: Trainer['queue'],
): Job {
	const jobId = randomUUID();
	const now = new Date().toISOString();
	return {
		jobId,
		projectId: order.project_id.toLowerCase(),
		name: order.name || `${order.vla_type} on ${dataset.dataset_name}`,
		order,
		datasetId: dataset.dataset_id,
		datasetName: dataset.dataset_name,
		datasetFolder: dataset.folder,
		baseModel: base?.path ?? (order.model_id || null),
		...trainer,
		...(queue && {filesIn: queue.folderOf(jobId)}),
		status: 'queued',
		phases: pendingPhases(isRehearsal(trainer)),
		message: isRehearsal(trainer) ? rehearsalMessage : null,
		createdAt: now,
		updatedAt: now,
		queuedAt: now,
		startedAt: null,
		deadlineAt: null,
		endedAt: null,
		retries: 0,
		launches: 0,
		run: null,
		ending: null,
		command: [],
		steps: isRehearsal(trainer) ? null : stepsOf(order),
		progress: null,
		checkpoint: null,
		checkpointAt: null,
		logRead: 0,
	};
}

function creationMessage(
	{vla_type, camera_mappings}: FinetuneOrder,
	{cameras}: DatasetDetails,
	trainer: TrainerFinding,
	lerobot: Lerobot | undefined,
	{queue}: Trainer,
): string {
	if (trainer.kind !== 'found') return `${rehearsalMessage} ${trainer.message}`;
	const slots = typeFacts(vla_type).cameras;
	const mapped = new Set(Object.values(camera_mappings));
	const unmapped = cameras.filter(key => !mapped.has(key));
	const caution =
		slots.kind === 'free' && unmapped.length > 0
			? ` ${vla_type} is laid out by the dataset's own image keys: ${named(unmapped)} will go in as well.`
			: '';
	const which = lerobot ? ` It is ${lerobotName(lerobot)}.` : '';
	return `It trains ${queue ? 'on' : 'on this machine with'} ${trainer.message}${which}${caution}`;
}
