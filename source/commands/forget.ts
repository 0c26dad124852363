import type {Client} from '../client/client.ts';
import {resolveDataset} from '../client/resolve-dataset.ts';
import type {ForgetRecord} from '../contract/local-forget.ts';
import {uuid} from '../contract/scalars.ts';
import {forgetLines, forgottenWords} from '../store/forget-dataset.ts';
import {printable} from '../terminal/printable.ts';
import type {CommandLine} from './flags.ts';
import {ask} from './print/ask.ts';
import {exitCodes, UsageError} from './print/failure.ts';
import {say, write} from './print/output.ts';
import {noteIfSample, withService} from './session.ts';
import {readSettings, refuseReadOnly} from './settings.ts';

/** The dataset that is meant, by its id, its name, or its path as the listing prints it. */
async function meant(client: Client, word: string): Promise<string> {
	if (uuid.safeParse(word).success) return word;
	const name = word.replace(/^local\//, '');
	const {data} = await client.listDatasets({search: name.slice(0, 200), limit: 100});
	const listed = data.items.find(({path}) => path === `local/${name}`)?.artifact_id;
	const id = listed ?? (await resolveDataset(client, name));
	if (id !== undefined) return id;
	throw new UsageError(`The lake holds no dataset ${JSON.stringify(word)}. lakescope datasets lists them.`);
}

/** Asks, unless the answer is on the command line. */
async function agreed({dataset_name}: ForgetRecord, yes: boolean | undefined): Promise<boolean> {
	if (yes) return true;
	if (!process.stdin.isTTY) {
		throw new UsageError('Without a terminal lakescope cannot ask: give --yes to forget it.');
	}
	const answer = await ask(`Forget ${printable(dataset_name)}? [y/N] `);
	return /^\s*y(es)?\s*$/i.test(answer ?? '');
}

/** `lakescope forget DATASET [--yes]` */
export async function forget({words, flags}: CommandLine): Promise<number> {
	const [word, ...more] = words;
	if (word === undefined || more.length > 0) {
		throw new UsageError('Give one dataset, by its name or id: lakescope forget DATASET');
	}
	const settings = await readSettings(flags);
	refuseReadOnly(settings, 'Nothing is forgotten');
	return withService(settings, async ({service, client}) => {
		noteIfSample(service);
		const document = await client.localDocument();
		if (!document?.abilities.includes('forget')) {
			throw new UsageError(
				'A hosted service cannot forget datasets: the interface has no such call. Only the lake that lakescope keeps itself can.',
			);
		}
		const {data: plan} = await client.forgetPlan(await meant(client, word));
		if (plan.refused !== null) {
			say(printable(plan.refused));
			return exitCodes.failed;
		}
		for (const line of forgetLines(plan)) say(printable(line));
		if (!(await agreed(plan, flags.yes))) {
			say('Nothing is forgotten.');
			return exitCodes.failed;
		}
		const {data: done} = await client.forgetDataset(plan.dataset_id);
		await write(`${printable(forgottenWords(done))}\n`);
		return exitCodes.fine;
	});
}
