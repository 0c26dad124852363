import {parseJson} from '../json.ts';

/**
 * The hints in an event about what to fetch again. The document shows neither names nor payloads of events (section 6):
 * ids and states are read by shape, from whatever JSON came.
 */
export type EventHint = {
	readonly jobs: readonly string[];
	readonly operations: readonly string[];
	readonly repos: readonly string[];
	/** Ids, or whatever else the service calls a dataset by. */
	readonly datasets: readonly string[];
	readonly uploads: readonly string[];
	/** Ids under names that do not say of what they are; the feed that knows one of them recognizes it. */
	readonly others: readonly string[];
	/** The outermost `phase` and `status`, as they came. */
	readonly phase: string | undefined;
	readonly status: string | undefined;
	/** The payload, where it is JSON. */
	readonly payload: unknown;
};

type Kind = 'jobs' | 'operations' | 'repos' | 'datasets' | 'uploads' | 'others';

/** The endings of field names that hold an id, as {@link plain} writes them; `finetune_job_id` is a job's. */
const endings: readonly (readonly [RegExp, Kind])[] = [
	[/(?:job|finetune|augmentation)ids?$/, 'jobs'],
	[/(?:operation|ingest|sync)ids?$/, 'operations'],
	[/(?:repo|repository)ids?$/, 'repos'],
	[/datasetids?$/, 'datasets'],
	[/uploadids?$/, 'uploads'],
];

const uuidText = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const uuids = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;

/** How much of a payload is looked at: what is told lies near its surface. */
const bounds = {values: 2000, idsAKind: 64, nameChars: 512, stateChars: 128, innerJsonChars: 65_536} as const;

/** `jobId`, `job-id` and `JOB_ID` are one name. */
const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');

function kindOf(name: string): Kind {
	return endings.find(([ending]) => ending.test(name))?.[1] ?? 'others';
}

function parsed(text: string): unknown {
	try {
		return parseJson(text);
	} catch {
		return undefined;
	}
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

class Gathering {
	readonly ids = {
		jobs: new Set<string>(),
		operations: new Set<string>(),
		repos: new Set<string>(),
		datasets: new Set<string>(),
		uploads: new Set<string>(),
		others: new Set<string>(),
	} satisfies Record<Kind, Set<string>>;
	phase: string | undefined;
	status: string | undefined;

	add(kind: Kind, id: string): void {
		if (this.ids[kind].size < bounds.idsAKind) this.ids[kind].add(id);
	}

	/** Takes a text that stands under a name of {@link plain} form. */
	text(name: string, text: string): void {
		if (/^(?:current)?phase$/.test(name)) this.phase ??= text.slice(0, bounds.stateChars);
		else if (/^(?:status|state)$/.test(name)) this.status ??= text.slice(0, bounds.stateChars);
		const kind = kindOf(name);
		if (uuidText.test(text)) this.add(kind, text.toLowerCase());
		else if (kind === 'datasets' && text !== '' && text.length <= bounds.nameChars) this.add(kind, text);
	}

	/** Looks through a payload, what is outermost first. */
	walk(payload: unknown): void {
		let values = 0;
		let level: (readonly [string, unknown])[] = [['', payload]];
		while (level.length > 0 && values < bounds.values) {
			const next: (readonly [string, unknown])[] = [];
			for (const [name, value] of level) {
				if (++values > bounds.values) return;
				if (typeof value === 'string') this.#string(name, value, next);
				else if (Array.isArray(value))
					for (const item of value.slice(0, bounds.values)) next.push([name, item]);
				else if (isRecord(value)) this.#record(name, value, next);
			}
			level = next;
		}
	}

	#string(name: string, value: string, next: (readonly [string, unknown])[]): void {
		// Some put a payload into a payload as its text.
		const inner = /^\s*[[{]/.test(value) && value.length <= bounds.innerJsonChars ? parsed(value) : undefined;
		if (inner === undefined) this.text(name, value);
		else next.push([name, inner]);
	}

	/** A bare `id` is that of what its owner is called: by the owner's name, or by its own `type`. */
	#record(
		name: string,
		record: Readonly<Record<string, unknown>>,
		next: (readonly [string, unknown])[],
	): void {
		const type = [record.type, record.kind, record.object].find(each => typeof each === 'string');
		for (const [key, value] of Object.entries(record).slice(0, bounds.values)) {
			const own = plain(key.slice(0, bounds.nameChars));
			const owner = kindOf(`${name}id`) === 'others' && type !== undefined ? plain(type) : name;
			next.push([own === 'id' ? `${owner}id` : own, value]);
		}
	}
}

/** Reads what an event gives away: never fails, whatever came. */
export function readHint({name, data}: {readonly name: string; readonly data: string}): EventHint {
	const gathering = new Gathering();
	const payload = parsed(data);
	if (payload === undefined) {
		for (const [id] of data.slice(0, bounds.innerJsonChars).matchAll(uuids))
			gathering.add('others', id.toLowerCase());
	} else gathering.walk(payload);
	for (const [id] of name.slice(0, bounds.nameChars).matchAll(uuids))
		gathering.add('others', id.toLowerCase());
	const {ids, phase, status} = gathering;
	return {
		jobs: [...ids.jobs],
		operations: [...ids.operations],
		repos: [...ids.repos],
		datasets: [...ids.datasets],
		uploads: [...ids.uploads],
		others: [...ids.others],
		phase,
		status,
		payload,
	};
}

/** True if an event names something at all: one that does not is a hint to look at everything. */
export function namesSomething({jobs, operations, repos, datasets, uploads, others}: EventHint): boolean {
	return [jobs, operations, repos, datasets, uploads, others].some(ids => ids.length > 0);
}

/** True if an event may be about the thing of this id. */
export function mayConcern(hint: EventHint, id: string): boolean {
	const wanted = id.toLowerCase();
	const {jobs, operations, repos, datasets, uploads, others} = hint;
	return [jobs, operations, repos, datasets, uploads, others].some(ids => ids.includes(wanted));
}
