import {readdir, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {expect, test} from 'vitest';
import {composeDataset} from '../../../source/service/compose/compose-dataset.ts';
import {Ffmpeg} from '../../../source/service/ffmpeg/ffmpeg.ts';
import {writeLerobotDataset} from '../../support/lerobot-dataset.ts';
import {listedFilm, standInFfmpeg} from '../../support/stand-in-ffmpeg.ts';
import {inWorkFolders} from '../ingest/ingest-run.ts';
import {chosen} from './chosen.ts';
import {expectRules} from './dataset-rules.ts';

const top = 'observation.images.top';
let root: string;
inWorkFolders(folder => {
	root = folder.root;
});

/** Composes the second of three episodes of 40 frames, with a program that stands in for ffmpeg. */
async function composeWith(body: string, boundMs = 60_000) {
	await writeLerobotDataset(path.join(root, '-one'), {
		cameras: [top],
		videosInRow: true,
		episodes: [{frames: 40}, {frames: 41}, {frames: 40}],
	});
	await writeFile(path.join(root, 'film'), listedFilm(121));
	const standIn = await standInFfmpeg(path.join(root, 'tools'), body.replaceAll('FILM', `${root}/film`));
	const target = path.join(root, 'made', 'part');
	const work = {target, name: 'part', left_out: [], parents: [await chosen(root, '-one', [1])]};
	const ffmpeg = new Ffmpeg(standIn.command, () => boundMs);
	const summary = await composeDataset(work, () => undefined, ffmpeg);
	// Whatever became of the videos, the dataset is whole, and nothing else was left.
	const {episodes} = await expectRules(target);
	expect(await readdir(path.join(root, 'made'))).toEqual(['part']);
	return {summary, calls: await standIn.calls(), episode: episodes[0] ?? {}, pid: await standIn.pid()};
}

const wholeBecause = (reason: string) => ({
	videos: 1,
	videos_cut: 0,
	videos_note: `1 video file was taken whole, with the episodes that were not chosen: ${reason}.`,
});

/** As much of what was listed as was cut: frames 40 to 81, for the episode begins with a key frame and ends within two. */
const cutList = `awk 'NR <= 6 {print} NR > 6 && NR - 7 >= 40 && NR - 7 < 81 {n = NR - 47; $2 = n * 512 ","; $3 = n * 512 ","; print}' FILM`;

test('a span is cut from its key frame, joined, read back and decoded, and the episode says where it lies', async () => {
	const {summary, calls, episode} = await composeWith(`
case "$what $*" in
list*joined*) ${cutList} ;;
list*) cat FILM ;;
decode*) printf '#tb 0: 1/30\\n0, 0, 0, 1, 9, aa\\n0, 1, 1, 1, 9, bb\\n0, 2, 2, 1, 9, cc\\n0, 3, 3, 1, 9, dd\\n0, 4, 4, 1, 9, ee\\n0, 5, 5, 1, 9, ff\\n0, 6, 6, 1, 9, 00\\n0, 7, 7, 1, 9, 11\\n' ;;
*) echo film > "$last" ;;
esac`);
	expect(summary).toMatchObject({videos: 1, videos_cut: 1, videos_note: null, video_bytes: 5});
	const [sampled, ...further] = calls.slice(6);
	expect([sampled?.includes('image2pipe'), further]).toEqual([true, []]);
	expect(summary.camera_stats_note).toContain('cannot be sampled (no pictures here)');
	const [listed, cut, joined, readBack, ownFrames, parentsFrames] = calls;
	for (const call of calls)
		expect(call.slice(0, 5)).toEqual(['-v', 'error', '-nostdin', '-protocol_whitelist', 'file,pipe']);
	const after = (call: string[] | undefined, name: string) => call?.[call.indexOf(name) + 1];
	const film = `file:${root}/-one/videos/${top}/chunk-000/file-000.mp4`;
	expect([after(listed, '-i'), after(listed, '-f')]).toEqual([film, 'framecrc']);
	expect([after(cut, '-i'), after(cut, '-c'), after(cut, '-frames:v')]).toEqual([film, 'copy', '41']);
	expect(Number(after(cut, '-ss'))).toBeCloseTo(40 / 30, 5);
	expect(joined).toEqual(expect.arrayContaining(['concat', '-auto_convert', '0']));
	expect(after(readBack, '-f')).toBe('framecrc');
	expect([after(ownFrames, '-frames:v'), after(parentsFrames, '-i')]).toEqual(['8', film]);
	expect(episode[`videos/${top}/from_timestamp`]).toBeCloseTo(0, 6);
});

test('a failure is said in its own words, without the paths of the machine', async () => {
	const {summary} = await composeWith(`
echo "[mov,mp4 @ 0x55d0c8a0] file:${'$'}{last}x /home/secret/film.mp4: moov atom not found" >&2
exit 1`);
	expect(summary).toMatchObject({videos: 1, videos_cut: 0});
	expect(summary.videos_note).toMatch(/ffmpeg cannot cut it: \[mov,mp4\].*moov atom not found\.$/);
	expect(summary.videos_note).not.toMatch(/secret|home|0x55/);
});

test('what hangs is ended, and asked nothing more', async () => {
	const {summary, calls, pid} = await composeWith('exec sleep 600', 300);
	expect(summary).toMatchObject(wholeBecause('ffmpeg took longer than 0 s'));
	expect(calls).toHaveLength(1);
	await expect.poll(() => isRunning(pid)).toBe(false);
});

test('what is no list of frames is not believed', async () => {
	const form = 'ffmpeg does not list its frames in a form that is known';
	expect((await composeWith('echo "0, a, b, c, d, e"')).summary).toMatchObject(wholeBecause(form));
});

test('what prints without end is ended', async () => {
	const {summary} = await composeWith(
		'[ "$what" = decode ] && exec yes 0,0,0,1,9,aa; case "$what $*" in list*joined*) ' +
			`${cutList} ;; list*) cat FILM ;; *) echo film > "$last" ;; esac`,
	);
	expect(summary).toMatchObject(wholeBecause('ffmpeg wrote more than it should'));
});

test('what was written otherwise than it was read is not taken', async () => {
	const {summary} = await composeWith(`case "$what" in list) cat FILM ;; *) echo film > "$last" ;; esac`);
	expect(summary).toMatchObject(wholeBecause('what ffmpeg cut of it does not have the same frames'));
});

test('frames that decode to others are not taken', async () => {
	const {summary} = await composeWith(`
case "$what $*" in
list*joined*) ${cutList} ;;
list*) cat FILM ;;
decode*joined*) printf '0, 0, 0, 1, 9, other\\n' ;;
decode*) printf '0, 0, 0, 1, 9, aa\\n' ;;
*) echo film > "$last" ;;
esac`);
	expect(summary).toMatchObject(wholeBecause('what ffmpeg cut of it is decoded to other frames'));
});

test('a disk that fills up while it is cut leaves the video whole, and the dataset there', async () => {
	const {summary} = await composeWith(`
case "$what" in list) cat FILM ;;
*) echo part > "$last"; echo "av_interleaved_write_frame(): No space left on device" >&2; exit 228 ;; esac`);
	expect(summary.videos_note).toMatch(/ffmpeg cannot cut it: .*No space left on device\.$/);
});

function isRunning(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
}
