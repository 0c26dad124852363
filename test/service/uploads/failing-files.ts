import {type FileLayer, machineFiles} from '../../../source/service/uploads/file-layer.ts';

/** What a store asks of the disk, one name a kind of call. */
export const actions = [
	'create',
	'write',
	'sync',
	'close',
	'rename',
	'makeFolder',
	'syncFolder',
	'sizeOf',
] as const;
export type Deed = (typeof actions)[number];

function failure(code: string): NodeJS.ErrnoException {
	return Object.assign(new Error(`${code}: the test's disk`), {code});
}

/**
 * The machine's files, but for the calls that are to fail.
 *
 * @param fails asked at each call, with how many of its kind there were before; the code that it fails with
 */
export function failingFiles(fails: (deed: Deed, before: number) => string | undefined): FileLayer {
	const counts = new Map<Deed, number>();
	const meet = (deed: Deed) => {
		const before = counts.get(deed) ?? 0;
		counts.set(deed, before + 1);
		const code = fails(deed, before);
		if (code !== undefined) throw failure(code);
	};
	return {
		...machineFiles,
		create: async file => {
			meet('create');
			const made = await machineFiles.create(file);
			return {
				write: async bytes => {
					meet('write');
					await made.write(bytes);
				},
				sync: async () => {
					meet('sync');
					await made.sync();
				},
				close: async () => {
					await made.close();
					meet('close');
				},
			};
		},
		rename: async (from, to) => {
			meet('rename');
			await machineFiles.rename(from, to);
		},
		makeFolder: async folder => {
			meet('makeFolder');
			await machineFiles.makeFolder(folder);
		},
		syncFolder: async folder => {
			meet('syncFolder');
			await machineFiles.syncFolder(folder);
		},
		sizeOf: async file => {
			meet('sizeOf');
			return await machineFiles.sizeOf(file);
		},
	};
}
