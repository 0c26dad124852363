import {rm} from 'node:fs/promises';
import type {DatasetDamage, RepairDifference} from '../../contract/local-repair.ts';
import {type Damage, type DamageKind, damageKinds} from '../../lerobot/check/damage.ts';
import {makeStaging} from '../ingest/ingest-trial.ts';
import {type ChildBounds, childBounds, reasonForEnd, runBounded} from '../workers/bounded-child.ts';
import {lineReader} from '../workers/child-report.ts';
import {programEntry} from '../workers/program-entry.ts';
import {type RepairReport, type RepairWork, repairReport} from './repair-messages.ts';

/** A damage with all that is known of its kind. */
export type FoundDamage = Damage & Omit<DamageKind, 'severity'>;

/** A report of a dataset with damage in every episode is long. */
const longestReport = 64 * 1024 * 1024;

/** A process that looked at a dataset, or repaired it, gave no answer. */
class RepairFailure extends Error {
	override readonly name = 'RepairFailure';
	/** It ended otherwise than by saying so. */
	readonly isCrash: boolean;

	constructor(message: string, isCrash: boolean) {
		super(message);
		this.isCrash = isCrash;
	}
}

/**
 * Looks at a dataset or repairs it in a process of its own.
 *
 * @throws {RepairFailure} with the reason; the signal's where that was aborted
 */
async function run(work: RepairWork, bounds: ChildBounds, signal: AbortSignal): Promise<RepairReport> {
	let report: RepairReport | undefined;
	const child = await runBounded({
		entry: programEntry('embedded-service.js', 'main.ts'),
		args: ['repair'],
		input: JSON.stringify(work),
		bounds,
		signal,
		onOutput: lineReader(
			repairReport,
			read => {
				if (read.type !== 'working') report = read;
			},
			longestReport,
		),
	});
	const end = await child.end;
	signal.throwIfAborted();
	if (report?.type === 'failed') throw new RepairFailure(report.message, false);
	if (report && end.code === 0) return report;
	const {folder} = work;
	const [doing, did] =
		work.do === 'check' || work.do === 'plan' ? ['Reading', 'read'] : ['Repairing', 'repaired'];
	throw new RepairFailure(reasonForEnd(end, bounds, `${doing} ${folder}`, `${did} ${folder}`), true);
}

/** @throws {Error} with the reason; the signal's where that was aborted */
export async function runRepair(
	work: Extract<RepairWork, {do: 'repair' | 'undo'}>,
	bounds: ChildBounds,
	signal: AbortSignal,
): Promise<void> {
	await run(work, bounds, signal);
}

/** The difference that a repair would make. @throws {Error} with the reason; the signal's where that was aborted */
export async function runPlan(
	folder: string,
	ids: readonly string[],
	bounds: ChildBounds,
	signal: AbortSignal,
): Promise<RepairDifference> {
	const report = await run({do: 'plan', folder, ids: [...ids]}, bounds, signal);
	if (report.type === 'plan') return report;
	throw new Error(`planning a repair of ${folder} was answered by ${report.type}`);
}

/** The damages of a dataset's folder, the worst first. @throws {Error} with the reason; the signal's where that was aborted */
export async function runCheck(
	folder: string,
	scratch: string,
	bounds: ChildBounds,
	signal: AbortSignal,
): Promise<DatasetDamage[]> {
	const report = await run({do: 'check', folder, scratch}, bounds, signal);
	if (report.type === 'damages') return report.damages;
	throw new Error(`checking ${folder} was answered by ${report.type}`);
}

/**
 * Finds the damages of a dataset's folder, the worst first, in a child with an ingest's bounds. Nothing is written to it. A
 * file that ends the child is a damage.
 *
 * @throws the signal's reason when it was aborted.
 */
export async function findFolderDamage(folder: string, signal: AbortSignal): Promise<FoundDamage[]> {
	const scratch = await makeStaging();
	try {
		return (await runCheck(folder, scratch, childBounds(), signal)) as FoundDamage[];
	} catch (error) {
		if (!(error instanceof RepairFailure) || !error.isCrash) throw error;
		const {severity, title, lerobot, repair} = damageKinds['parquet-unreadable'];
		const damage = {id: 'parquet-unreadable', file: '', episodes: [], message: error.message} as const;
		return [{...damage, severity, title, lerobot, repair}];
	} finally {
		await rm(scratch, {recursive: true, force: true});
	}
}
