import type {Client} from '../client/client.ts';
import {OutcomeUnknownError} from '../client/errors.ts';
import type {ForgetRecord} from '../contract/local-forget.ts';
import type {Explorer} from './explorer.ts';
import type {Notify} from './state/notices.ts';
import type {Confirmation} from './state/user-state.ts';
import {asked} from './state/view-transitions.ts';

const counted = (count: number, noun: string) =>
	`${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;

/** The consequences of forgetting a dataset, a sentence a line. */
export function forgetLines({dataset_name, folder, episodes, copies, marked}: ForgetRecord): string[] {
	const reviews = `${counted(marked, 'review')} of its recordings`;
	return [
		`${dataset_name}: ${counted(episodes, 'episode')} leave the lake.`,
		...(copies.length === 0
			? [`The folder ${folder} is not the lake's own and is not touched: lakescope ingest brings it back.`]
			: copies.map(copy => `The lake made a copy of its files, and that is deleted: ${copy}`)),
		...(marked === 0
			? []
			: [`${reviews} ${marked === 1 ? 'is' : 'are'} kept for when they are ingested again.`]),
	];
}

/** The sentence that reports it. */
export function forgottenWords({dataset_name, episodes, copies}: ForgetRecord): string {
	const files = copies.length === 0 ? 'its files stay where they are' : `deleted: ${copies.join(', ')}`;
	return `${dataset_name} is forgotten: ${counted(episodes, 'episode')}; ${files}.`;
}

type Asking = Pick<Explorer, 'client' | 'update' | 'refetch' | 'signal'> & {readonly notify: Notify};

/** Asks, with what the service says of it, and forgets a dataset. */
export async function askToForget(explorer: Asking, datasetId: string): Promise<void> {
	const {client, signal} = explorer;
	try {
		const {data: plan} = await client.forgetPlan(datasetId, {signal});
		if (plan.refused !== null) {
			explorer.notify('warning', plan.refused);
			return;
		}
		const question: Confirmation = {
			title: 'Forget the dataset?',
			lines: forgetLines(plan),
			yes: 'forget it',
			agree: () => void forget(explorer, plan.dataset_id),
		};
		explorer.update(asked(question));
	} catch (error) {
		if (!signal.aborted) explorer.notify('error', reasonOf(error));
	}
}

async function forget(explorer: Asking, datasetId: string): Promise<void> {
	const client: Pick<Client, 'forgetDataset'> = explorer.client;
	try {
		const {data: done} = await client.forgetDataset(datasetId);
		explorer.notify('info', forgottenWords(done));
	} catch (error) {
		const reason = reasonOf(error);
		explorer.notify('error', error instanceof OutcomeUnknownError ? `Outcome unknown: ${reason}` : reason);
	}
	explorer.refetch();
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
