import type {EventHint} from '../../client/events/event-hint.ts';

const longest = 256;

/** What an event calls the thing that it is about, where it says so under a name that can be told. */
export function nameInEvent({payload}: EventHint): string | undefined {
	if (typeof payload !== 'object' || payload === null) return undefined;
	const {dataset_name, job_name, name} = payload as Readonly<Record<string, unknown>>;
	const found = [dataset_name, job_name, name].find(
		(each): each is string => typeof each === 'string' && each !== '',
	);
	// A part of a text keeps all of it in memory; this is a text of its own.
	return found === undefined ? undefined : Buffer.from(found.slice(0, longest)).toString();
}
