import path from 'node:path';
import {createClient} from '../client/client.ts';
import {lerobotHome} from '../files/datasets-on-disk.ts';
import {printable} from '../terminal/printable.ts';
import {byteSize, counted} from '../terminal/quantity.ts';
import {type CommandLine, meantPerhaps} from './flags.ts';
import {ask} from './print/ask.ts';
import {exitCodes, UsageError} from './print/failure.ts';
import {say, write} from './print/output.ts';
import {readSettings, refuseReadOnly, type Settings} from './settings.ts';

type Repairing = Awaited<ReturnType<typeof import('../service/front-door.ts').repairing>>;
type Wish = Parameters<Repairing['planRepair']>[1];

const usage = 'lakescope repair DIR [ID…], or lakescope repair --undo DIR';

/** Why the lake's service needs a dataset as it is; undefined where none runs, or nothing is done with it. */
async function userOf(settings: Settings, folder: string): Promise<string | undefined> {
	const {joinRunningService} = await import('../service/front-door.ts');
	const service = await joinRunningService(settings.lakeFolder);
	if (!service) return undefined;
	const client = createClient({baseUrl: service.url, key: service.key});
	try {
		const {data: ingests} = await client.listIngests();
		const known = ingests.items.filter(item => item.folder === folder);
		const running = known.find(({status}) => !status.done);
		if (running) return `${running.dataset_name} is being ingested from it: wait until it ends`;
		for (const id of new Set(known.map(({repo_id}) => repo_id))) {
			const refused = await client.forgetPlan(id).then(
				({data}) => data.refused,
				() => null,
			);
			if (refused !== null) return refused.replace(/^.*? while /, '').replace(/\.$/, '');
		}
		return undefined;
	} finally {
		await client.close();
		service.leave();
	}
}

function wishOf(
	{isDamageId, repairableIds}: Repairing,
	words: readonly string[],
	flags: CommandLine['flags'],
): Wish {
	const ids = words.map(word => {
		if (!isDamageId(word)) {
			throw new UsageError(
				[
					`There is no damage ${JSON.stringify(word)}.`,
					meantPerhaps(word, repairableIds, id => id) ??
						`Those that can be repaired: ${repairableIds.join(', ')}.`,
				].join(' '),
			);
		}
		if (!repairableIds.includes(word))
			throw new UsageError(`${word} cannot be repaired without the recording.`);
		return word;
	});
	const task = renaming('rename-task', flags['rename-task'], 'the text of a task and the one that it gets');
	const feature = renaming('rename-feature', flags['rename-feature'], 'a feature and the name that it gets');
	return {ids, ...(task && {tasks: [task]}), ...(feature && {feature})};
}

function renaming(flag: string, given: string | undefined, what: string) {
	if (given === undefined) return undefined;
	const at = given.indexOf('=');
	const [was, now] = [given.slice(0, at), given.slice(at + 1).trim()];
	if (at < 1 || now === '') throw new UsageError(`--${flag} takes OLD=NEW: ${what}.`);
	return {was, now};
}

function planLines({repairs, files, bytes}: Awaited<ReturnType<Repairing['planRepair']>>): string[] {
	return [
		...repairs.flatMap(({id, changes}) => [
			`${id === 'follows' ? 'With it' : id}`,
			...changes.map(change => `  ${change}`),
		]),
		`${counted(files.length, 'file')} ${files.length === 1 ? 'changes' : 'change'}: ${files.join(', ')}`,
		`It needs about ${byteSize(bytes)} beside the dataset; every file is kept as it was, and --undo gives it back.`,
	];
}

/** `lakescope repair DIR [ID…] [--dry-run] [--undo] [--rename-task OLD=NEW] [--rename-feature OLD=NEW] [--yes]` */
export async function repair({words, flags}: CommandLine): Promise<number> {
	const [given, ...more] = words;
	if (given === undefined) throw new UsageError(`Give a dataset: ${usage}`);
	const settings = await readSettings(flags);
	const isDry = flags['dry-run'] === true;
	if (!isDry) refuseReadOnly(settings, 'Nothing is repaired');
	const repairing = await (await import('../service/front-door.ts')).repairing();
	const wish = wishOf(repairing, more, flags);
	if (flags.undo && (more.length > 0 || wish.tasks || wish.feature))
		throw new UsageError(`An undo takes the newest repair back as a whole: ${usage}`);
	try {
		return await run(repairing, path.resolve(given), wish, {
			settings,
			isDry,
			isUndo: flags.undo === true,
			yes: flags.yes === true,
		});
	} catch (error) {
		if (!(error instanceof Error) || error.name !== 'DatasetError') throw error;
		say(printable(error.message));
		return exitCodes.failed;
	}
}

async function run(
	repairing: Repairing,
	given: string,
	wish: Wish,
	{settings, isDry, isUndo, yes}: {settings: Settings; isDry: boolean; isUndo: boolean; yes: boolean},
): Promise<number> {
	const target = await repairing.copyOutTarget(given, lerobotHome());
	const user = isDry ? undefined : await userOf(settings, await repairing.realFolder(given));
	if (user !== undefined) {
		say(printable(`${given} cannot be repaired while ${user}.`));
		return exitCodes.failed;
	}
	if (!isDry && target === undefined) {
		const finished = await repairing.finishRepair(given);
		if (finished !== undefined) {
			say(
				printable(
					`${given}: ${finished === 'undo' ? 'an undo' : 'a repair'} that was interrupted is finished.`,
				),
			);
			if (isUndo && finished === 'undo') return exitCodes.fine;
		}
	}
	if (isUndo) {
		if (isDry) throw new UsageError('An undo has no dry run.');
		const {repairs, files} = await repairing.undoRepair(given);
		await write(
			`${printable(`${given}: ${repairs.filter(id => id !== 'follows').join(', ')} taken back; ${counted(files.length, 'file')} as before.`)}\n`,
		);
		return exitCodes.fine;
	}
	const plan = await repairing.planRepair(given, wish);
	if (plan.files.length === 0) {
		await write(`${printable(`${given}: nothing to repair.`)}\n`);
		return exitCodes.fine;
	}
	for (const line of planLines(plan)) await write(`${printable(line)}\n`);
	if (target !== undefined) {
		await write(
			`${printable(`${given} is a snapshot of the Hub's cache, which is never written: it is copied out to ${target} first. For LeRobot that copy goes before the cache.`)}\n`,
		);
	}
	if (isDry) return exitCodes.fine;
	if (!(await agreed(given, yes))) {
		say('Nothing is repaired.');
		return exitCodes.failed;
	}
	if (target !== undefined) await repairing.copyOut(given, target);
	const folder = target ?? given;
	await repairing.repairDataset(folder, wish);
	await write(`${printable(`Repaired. To take it back: lakescope repair --undo ${folder}`)}\n`);
	await write(`${printable(`To have it in the lake as it is now: lakescope ingest ${folder}`)}\n`);
	return exitCodes.fine;
}

/** Asks, unless the answer is on the command line. */
async function agreed(folder: string, yes: boolean): Promise<boolean> {
	if (yes) return true;
	if (!process.stdin.isTTY)
		throw new UsageError('Without a terminal lakescope cannot ask: give --yes to repair it.');
	const answer = await ask(`Repair ${printable(folder)}? [y/N] `);
	return /^\s*y(es)?\s*$/i.test(answer ?? '');
}
