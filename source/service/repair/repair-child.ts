import {realpath} from 'node:fs/promises';
import {text} from 'node:stream/consumers';
import {type DamageId, damageKinds} from '../../lerobot/check/damage.ts';
import {findDamage} from '../../lerobot/check/find-damage.ts';
import {DatasetError, reasonOf} from '../../lerobot/dataset-error.ts';
import {ReadDatabase} from '../../lerobot/read-database.ts';
import {newestRepair} from '../../lerobot/repair/journal.ts';
import {
	finishRepair,
	planRepair,
	repairableIds,
	repairDataset,
	undoRepair,
} from '../../lerobot/repair/repair.ts';
import {endWithParent, memoryLimit} from '../workers/inside-child.ts';
import {type RepairReport, type RepairWork, repairWork} from './repair-messages.ts';

/** Milliseconds between two looks at whether this process works. */
const pause = 10_000;

function say(report: RepairReport): void {
	process.stdout.write(`${JSON.stringify(report)}\n`);
}

/** Says that it works as long as it does: one that waits for a disk which does not answer takes no time of a core. */
function sayWhileWorking(): void {
	let before = process.cpuUsage();
	setInterval(() => {
		const {user, system} = process.cpuUsage(before);
		before = process.cpuUsage();
		if (user + system > pause * 10) say({type: 'working'});
	}, pause).unref();
}

async function checked(folder: string, scratch: string): Promise<RepairReport> {
	const folders = [folder, scratch];
	const database = await ReadDatabase.open({folders, memoryLimit, spillFolder: scratch});
	try {
		const found = await findDamage(database, folder);
		const damages = found.map(({episodes, ...damage}) => {
			const {title, lerobot, repair} = damageKinds[damage.id];
			const repairable = repairableIds.includes(damage.id);
			return {...damage, episodes: [...episodes], title, lerobot, repair, repairable};
		});
		return {type: 'damages', damages};
	} finally {
		database.close();
	}
}

async function answer(work: RepairWork): Promise<RepairReport> {
	const {folder} = work;
	if (work.do === 'check') return checked(folder, work.scratch);
	if (work.do === 'plan') {
		const {repairs, files, bytes} = await planRepair(folder, {ids: work.ids as DamageId[]});
		return {
			type: 'plan',
			repairs: repairs.map(({id, changes}) => ({id, changes: [...changes]})),
			files: [...files],
			bytes,
		};
	}
	await finishRepair(folder);
	if (work.do === 'repair') await repairDataset(folder, {ids: work.ids as DamageId[]});
	else if ((await newestRepair(await realpath(folder)))?.made === work.made) await undoRepair(folder);
	return {type: 'done'};
}

/** The process that looks at a dataset, repairs it, or takes a repair back. */
export async function runRepairer(): Promise<void> {
	endWithParent();
	sayWhileWorking();
	try {
		say(await answer(repairWork.parse(JSON.parse(await text(process.stdin)))));
	} catch (error) {
		if (!(error instanceof DatasetError))
			process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
		say({type: 'failed', message: reasonOf(error).slice(0, 2000)});
	}
}
