import * as z from 'zod';
import type {ReportProblem} from './dataset-error.ts';
import {subtasksPathV21, tasksPathV21} from './layout-v21.ts';
import {readJsonLines} from './read-v21-json-lines.ts';

const kinds = {
	task: {file: tasksPathV21, line: z.looseObject({task_index: z.int(), task: z.string()})},
	subtask: {file: subtasksPathV21, line: z.looseObject({subtask_index: z.int(), subtask: z.string()})},
} as const;

/**
 * Reads `meta/tasks.jsonl` or `meta/subtasks.jsonl` of a v2.1 dataset: a number and its text a line.
 *
 * @param root the dataset's root as `realpath` gives it.
 * @returns the texts by number; none where the file is missing or broken, which is reported.
 */
export async function readNamesV21(
	root: string,
	kind: 'task' | 'subtask',
	report: ReportProblem,
): Promise<ReadonlyMap<number, string>> {
	const {file, line} = kinds[kind];
	const names = new Map<number, string>();
	await readJsonLines(root, file, `the ${kind}s of frames have no names`, report, value => {
		const read = line.safeParse(value);
		if (!read.success) return `it is no object with a ${kind}_index and a ${kind}`;
		names.set(Number(read.data[`${kind}_index`]), String(read.data[kind]));
		return undefined;
	});
	return names;
}
