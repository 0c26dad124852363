import * as z from 'zod';
import {lakeFileName, readState, writeState} from '../../files/state.ts';

/** A person's decision about an episode of a service that stores no reviews. */
const keptMark = z.looseObject({
	episode_id: z.string(),
	review_state: z.string(),
	dataset_name: z.string().optional(),
	episode_index: z.number().optional(),
});
type KeptMark = z.output<typeof keptMark>;

const keptMarks = z.looseObject({lake: z.string(), marks: z.array(keptMark)});

/** More decisions than one person takes; the oldest go first. */
const mostMarks = 100_000;

const nameOf = (lake: string) => lakeFileName('reviews', lake);

/** The decisions about a lake's episodes that are kept on this machine. */
export async function recallMarks(
	lake: string,
	notify: (sentence: string) => void,
): Promise<readonly KeptMark[]> {
	const kept = await readState(nameOf(lake), keptMarks, notify);
	return kept?.lake === lake ? kept.marks : [];
}

/**
 * Keeps some decisions, and takes back those of the episodes in `gone`. What another explorer kept meanwhile stays.
 *
 * @returns the sentence that says why that failed.
 */
export async function keepMarks(
	lake: string,
	marks: readonly KeptMark[],
	gone: ReadonlySet<string>,
): Promise<string | undefined> {
	const before = await readState(nameOf(lake), keptMarks);
	const renewed = new Set([...gone, ...marks.map(({episode_id}) => episode_id)]);
	const others = before?.lake === lake ? before.marks.filter(({episode_id}) => !renewed.has(episode_id)) : [];
	return writeState(nameOf(lake), {...before, lake, marks: [...others, ...marks].slice(-mostMarks)});
}
