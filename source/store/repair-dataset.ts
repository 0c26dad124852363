import {OutcomeUnknownError} from '../client/errors.ts';
import type {DamageReport, RepairPlan, RepairRequest} from '../contract/local-repair.ts';
import type {Explorer} from './explorer.ts';
import {asked} from './state/view-transitions.ts';

/** Lines of changes that a question has room for on a small screen. */
const mostChanges = 9;
const mostFiles = 3;

type Written = {
	readonly counted: (count: number, noun: string) => string;
	readonly byteSize: (bytes: number) => string;
};

/** A repair's changes and the room that it needs, a sentence a line. */
export function repairLines(
	{repairs, files, bytes, free}: RepairPlan,
	{counted, byteSize}: Written,
): string[] {
	const changes = repairs.flatMap(({id, changes: made}) => [
		id === 'follows' ? 'With it' : id,
		...made.map(change => `  ${change}`),
	]);
	const more = changes.length - mostChanges;
	const named = files.slice(0, mostFiles).join(', ');
	const others = files.length > mostFiles ? ` and ${files.length - mostFiles} more` : '';
	return [
		...(more > 1 ? [...changes.slice(0, mostChanges), `and ${more} more lines`] : changes),
		`${counted(files.length, 'file')} ${files.length === 1 ? 'changes' : 'change'}: ${named}${others}`,
		`It needs about ${byteSize(bytes)} beside the dataset, where ${byteSize(free)} are free. Every file is kept as it was; no video and no value of a frame changes.`,
		'The dataset is ingested again after it.',
	];
}

type Asking = Pick<Explorer, 'client' | 'update' | 'notify' | 'signal' | 'local' | 'uploads'>;

/** Asks, with the difference that it makes, and mends damages of a dataset; all that can be where none is named. */
export async function askToRepair(
	explorer: Asking,
	datasetId: string,
	ids: readonly string[],
	written: Written,
): Promise<void> {
	const {client, signal} = explorer;
	const request = {ids: [...ids]};
	try {
		const {data: plan} = await client.planRepair(datasetId, request, {signal});
		if (plan.refused !== null) explorer.notify('warning', plan.refused);
		else if (plan.files.length === 0)
			explorer.notify('info', `There is nothing to repair in ${plan.dataset_name}.`);
		else {
			const question = {
				title: `Repair ${plan.dataset_name}?`,
				lines: repairLines(plan, written),
				yes: 'repair it',
				agree: () => void order(explorer, datasetId, request, `Repairing ${plan.dataset_name}.`),
			};
			explorer.update(asked(question));
		}
	} catch (error) {
		if (!signal.aborted) explorer.notify('error', reasonOf(error));
	}
}

/** Asks, and takes the newest repair of a dataset back. */
export function askToUndoRepair(
	explorer: Asking,
	{dataset_id, dataset_name, undo, refused}: DamageReport,
): void {
	if (undo === null) explorer.notify('info', `${dataset_name} has no repair to take back.`);
	else if (refused !== null) explorer.notify('warning', refused);
	else {
		const of = undo.repairs.filter(id => id !== 'follows').join(', ');
		const question = {
			title: 'Take the newest repair back?',
			lines: [
				`${dataset_name}: ${of}.`,
				'Every file is again what it was before, to the byte. The dataset is ingested again after it.',
			],
			yes: 'take it back',
			agree: () =>
				void order(explorer, dataset_id, {undo: undo.made}, `Taking back the repair of ${dataset_name}.`),
		};
		explorer.update(asked(question));
	}
}

async function order(
	explorer: Asking,
	datasetId: string,
	request: RepairRequest,
	words: string,
): Promise<void> {
	const {client, local, uploads} = explorer;
	try {
		await client.repairDataset(datasetId, request);
		explorer.notify('info', words);
	} catch (error) {
		const reason = reasonOf(error);
		explorer.notify('error', error instanceof OutcomeUnknownError ? `Outcome unknown: ${reason}` : reason);
	}
	local.refetchIngests();
	uploads.refetch();
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
