import type {Client} from '../client/client.ts';
import {ClientError} from '../client/errors.ts';
import {firstItems} from '../client/first-items.ts';
import {ConcurrencyLimit} from '../concurrency.ts';
import type {JobItem, JobListResponse} from '../contract/listing.ts';
import type {CommandLine} from './flags.ts';
import {type Field, listingCommand} from './listing-command.ts';
import {say} from './print/output.ts';
import {furtherFields} from './print/table.ts';

type State = {readonly status: string | undefined; readonly phase: string | undefined};

/** The document's item tells no status: so many jobs are asked for theirs, so many at once. */
const asked = {most: 40, atOnce: 4} as const;

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/** The state that a job's own item tells, where its service tells it there. */
function toldBy({status, current_phase, phase}: JobItem): State {
	return {status: textOf(status), phase: textOf(current_phase) ?? textOf(phase)};
}

/** A job's state; nothing where it can't be had, which costs the listing nothing else. */
async function ask(client: Client, jobId: string): Promise<State> {
	try {
		const {data} = await client.finetuneStatus(jobId);
		return {status: data.status, phase: data.current_phase};
	} catch (error) {
		if (error instanceof ClientError) return {status: '?', phase: undefined};
		throw error;
	}
}

/** The states of the jobs shown, asked for where their items don't tell. */
async function statesOf(client: Client, items: readonly JobItem[]): Promise<ReadonlyMap<string, State>> {
	const states = new Map(items.map(item => [item.job_id, toldBy(item)]));
	const silent = [...states].filter(([, {status}]) => status === undefined).map(([id]) => id);
	const limit = new ConcurrencyLimit(asked.atOnce);
	await limit.map(silent.slice(0, asked.most), async id => states.set(id, await ask(client, id)));
	if (silent.length > asked.most)
		say(`Only the first ${asked.most} were asked for their status: see lakescope finetune ID.`);
	return states;
}

/** Fields that have a column of their own, where they come. */
const named = ['name', 'vla_type', 'dataset_path', 'created_at'] as const;
const known = ['job_id', 'project_id', 'status', 'current_phase', 'phase', 'dataset_id', ...named];

/** Options of a job as people say them, by the fields that tell them; each undefined where there is nothing to say. */
const optionWords: readonly (readonly [fields: readonly string[], words: (item: JobItem) => unknown])[] = [
	[['hours'], ({hours}) => isNumber(hours) && `${hours} h`],
	[['batch_size'], ({batch_size: size}) => isNumber(size) && `batch ${size}`],
	[['step', 'steps'], ({step, steps}) => stepWords(step, steps)],
	[
		['steps_per_second'],
		({steps_per_second: rate}) => isNumber(rate) && `${Number(rate.toPrecision(3))} steps/s`,
	],
	[['use_rabc'], ({use_rabc}) => use_rabc === true && 'reward-aware'],
	[['rehearsal'], ({rehearsal}) => rehearsal === true && 'rehearsal'],
	[['model_id'], ({model_id: model}) => textOf(model) && `from ${model}`],
	[['message'], ({message}) => textOf(message)],
];

const isNumber = (value: unknown): value is number => typeof value === 'number';

function stepWords(step: unknown, steps: unknown): string | undefined {
	if (!isNumber(step)) return isNumber(steps) ? `${steps} steps` : undefined;
	return isNumber(steps) ? `step ${step} of ${steps}` : `step ${step}`;
}

/** The parameters and state of a job. Of unknown fields, those that are off and those that are times are left out. */
function optionsOf(item: JobItem): string {
	const said = optionWords.flatMap(([, words]) => words(item) || []);
	const told = new Set([...known, ...optionWords.flatMap(([fields]) => fields)]);
	const others = furtherFields(item, [...told]).flatMap(([name, value]) => {
		if (name.endsWith('_at') || item[name] === false) return [];
		return item[name] === true ? name : `${name}=${value}`;
	});
	return [...said, ...others].join(', ');
}

function fieldsOf(states: ReadonlyMap<string, State>): readonly Field<JobItem>[] {
	return [
		{title: 'job', of: ({job_id}) => job_id},
		{title: 'status', of: ({job_id}) => states.get(job_id)?.status},
		{title: 'phase', least: 8, of: ({job_id}) => states.get(job_id)?.phase},
		{title: 'name', least: 6, of: ({name}) => textOf(name)},
		{title: 'type', of: ({vla_type}) => textOf(vla_type)},
		{
			title: 'dataset',
			least: 6,
			of: ({dataset_path, dataset_id}) => textOf(dataset_path) ?? textOf(dataset_id),
		},
		{title: 'created', of: ({created_at}) => textOf(created_at)?.slice(0, 16).replace('T', ' ')},
		{title: 'project', least: 8, of: ({project_id}) => project_id},
		{title: 'options', least: 8, of: optionsOf},
	];
}

/** `lakescope jobs [--json] [--limit N]` */
export function jobs(line: CommandLine): Promise<number> {
	return listingCommand<JobItem, JobListResponse>(line, {
		name: 'jobs',
		get: ({client}, wanted) => firstItems(wanted, query => client.listJobs(query)),
		fields: async (items, {client}) => fieldsOf(await statesOf(client, items)),
	});
}
