import {readdir} from 'node:fs/promises';
import path from 'node:path';
import {infoPath} from '../../lerobot/layout.ts';
import type {DatasetFolder} from '../../lerobot/read-dataset.ts';
import type {Reporter} from '../workers/reporter.ts';

async function foldersIn(folder: string): Promise<readonly string[]> {
	const entries = await readdir(folder, {withFileTypes: true}).catch(() => []);
	return entries.filter(entry => entry.isDirectory()).map(({name}) => name);
}

/** Episodes of which pictures wait to be encoded into videos: LeRobot removes them once a video is whole. */
async function unencodedEpisodes(root: string, cameras: readonly string[]): Promise<number[]> {
	const names = await Promise.all(cameras.map(camera => foldersIn(path.join(root, 'images', camera))));
	const found = names.flat().flatMap(name => {
		const number = /^episode[-_](\d{1,9})$/.exec(name)?.[1];
		return number === undefined ? [] : [Number(number)];
	});
	return [...new Set(found)];
}

/** A video is being encoded, or was when its recorder was killed. */
async function isEncoding(root: string): Promise<boolean> {
	const folders = (await foldersIn(root)).filter(name => /^tmp\w{8}$/.test(name));
	const files = await Promise.all(
		folders.map(name => readdir(path.join(root, name)).catch((): string[] => [])),
	);
	return files.flat().some(name => name.endsWith('.mp4'));
}

/** `0–3, 7` */
export function ranges(numbers: readonly number[]): string {
	const sorted = numbers.toSorted((a, b) => a - b);
	const runs: [number, number][] = [];
	for (const number of sorted) {
		const run = runs.at(-1);
		if (run && number === run[1] + 1) run[1] = number;
		else runs.push([number, number]);
	}
	return runs.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(', ');
}

/**
 * Says of a recording that is under way, or whose recorder was killed, which of its episodes are whole. A recorder counts
 * an episode at once, but writes the ends of its files when it finishes: those of earlier sessions can be read.
 *
 * @param taken the episodes that were read
 * @param listed how many the metadata lists: a recorder lists them with the end of its files
 * @param cutOff whether a data file has no end
 */
export async function reportUnfinishedRecording(
	{root, info, videos}: DatasetFolder,
	{
		taken,
		listed,
		cutOff,
	}: {readonly taken: readonly number[]; readonly listed: number; readonly cutOff: boolean},
	reporter: Reporter,
): Promise<void> {
	const [unencoded, encoding] = await Promise.all([unencodedEpisodes(root, videos), isEncoding(root)]);
	const counted = info.total_episodes ?? 0;
	const lost = cutOff && counted > listed;
	if (!lost && unencoded.length === 0 && !encoding) return;
	const whole = taken.length === 0 ? 'No episode can be read' : `Episodes ${ranges(taken)} can be read`;
	const pictures =
		unencoded.length === 0
			? ''
			: ` The pictures of ${unencoded.length === 1 ? 'episode' : 'episodes'} ${ranges(unencoded)} lie in images and are not encoded into videos.`;
	reporter.problem({
		file: infoPath,
		message: `The recording is under way, or its recorder was killed. ${whole}, of ${counted} that ${infoPath} counts.${pictures} If it still runs, finish it and ingest again.`,
	});
}
