import * as z from 'zod';

/** A fine-tune or augmentation that was started from here, with what the service does not tell of it. */
const launch = z.looseObject({
	jobId: z.string(),
	/** Milliseconds since 1970. */
	at: z.number(),
	name: z.string().optional(),
	/** The filter whose episodes it was started on, as the filter line says it. */
	filter: z.string().optional(),
	dataset: z.string().optional(),
	/** Episodes picked one by one that the dataset, of this id, was composed of for it. */
	picked: z.object({datasetId: z.string(), episodes: z.number()}).optional(),
	/** How long it may train at most. */
	hours: z.number().optional(),
	/** The request as it was sent. */
	request: z.record(z.string(), z.unknown()).optional(),
});
export type Launch = z.output<typeof launch>;

/** A re-ingest that is known by its operation alone. */
const operation = z.looseObject({
	operationId: z.string(),
	name: z.string().optional(),
	repoId: z.string().optional(),
	/** Since when its state is what it is; milliseconds since 1970. */
	since: z.number(),
	/** The state that it was in; another one is news. */
	state: z.string().optional(),
	/** Its id was typed; that of another came with an event. */
	byHand: z.boolean(),
});
export type RememberedOperation = z.output<typeof operation>;

const job = z.looseObject({jobId: z.string(), byHand: z.boolean()});
export type RememberedJob = z.output<typeof job>;

/** A repo whose failures were dismissed, through a moment in milliseconds since 1970. */
const dismissed = z.looseObject({repoId: z.string(), through: z.number()});
export type Dismissed = z.output<typeof dismissed>;

/** Something that is sent once, to be made at most once: what was sent, until it is known what became of it. */
const outboxEntry = z.looseObject({
	/** An id of our own; a composition's is that of its operation. */
	id: z.string(),
	/** `fine-tune`, `composition`. */
	kind: z.string(),
	/** When it was sent; milliseconds since 1970. */
	at: z.number(),
	/** The program that sends it: while that runs, it is its own to settle. */
	by: z.object({host: z.string(), pid: z.number()}),
	/** The name of its result. */
	name: z.string(),
	request: z.record(z.string(), z.unknown()),
	/** The jobs that were listed before a fine-tune was sent: a new one among them is what it made. */
	before: z.array(z.string()).optional(),
	isTrial: z.boolean().optional(),
	/** The draft that a fine-tune was sent from; who reads it looks whether it is one. */
	draft: z.unknown().optional(),
});
export type OutboxEntry = z.output<typeof outboxEntry>;

/** The memory of a service and account from one run to the next. Unknown fields stay as they are. */
export const rememberedState = z.looseObject({
	/** Which lake it is. */
	lake: z.string(),
	/** When the user last looked; milliseconds since 1970. */
	lookedAt: z.number().optional(),
	/** Episodes that the lake held then. */
	episodes: z.number().optional(),
	launches: z.array(launch),
	/** A fine-tune that is being written; who reads it looks whether it is one. */
	launchDraft: z.unknown().optional(),
	orders: z.array(outboxEntry).default([]),
	operations: z.array(operation),
	jobs: z.array(job),
	dismissed: z.array(dismissed),
});
export type RememberedState = z.output<typeof rememberedState>;

/** How many of each are kept; the oldest go first. */
export const rememberedBounds = {
	launches: 500,
	orders: 20,
	operations: 100,
	jobs: 100,
	dismissed: 200,
} as const;

export function nothingRemembered(lake: string): RememberedState {
	return {lake, launches: [], orders: [], operations: [], jobs: [], dismissed: []};
}

/** Adds an entry as the newest, in the place of one of the same id. */
export function withEntry<Entry>(
	entries: readonly Entry[],
	entry: Entry,
	{idOf, most}: {idOf: (entry: Entry) => string; most: number},
): Entry[] {
	const id = idOf(entry);
	return [...entries.filter(each => idOf(each) !== id), entry].slice(-most);
}

/** Merges the memories of two runs: each entry of both, that of the second where both have it. */
export function merged(first: RememberedState, second: RememberedState): RememberedState {
	const both = <Entry>(ours: readonly Entry[], theirs: readonly Entry[], idOf: (entry: Entry) => string) => {
		const ids = new Set(theirs.map(idOf));
		return [...ours.filter(entry => !ids.has(idOf(entry))), ...theirs];
	};
	const {launches, orders, operations, jobs, dismissed: gone} = rememberedBounds;
	return {
		...first,
		...second,
		launches: both(first.launches, second.launches, each => each.jobId).slice(-launches),
		orders: both(first.orders, second.orders, each => each.id).slice(-orders),
		operations: both(first.operations, second.operations, each => each.operationId).slice(-operations),
		jobs: both(first.jobs, second.jobs, each => each.jobId).slice(-jobs),
		dismissed: both(first.dismissed, second.dismissed, each => each.repoId).slice(-gone),
	};
}
