import {videosFolder} from '../layout.ts';
import type {Draft} from './draft.ts';
import {videoFiles} from './repair-videos.ts';

function putAside(draft: Draft, files: readonly string[], why: string): string[] {
	const fresh = files.filter(file => !draft.aside.has(file));
	for (const file of fresh) draft.aside.add(file);
	return fresh.map(file => `${file} is put aside: ${why}.`);
}

export async function putUnusedVideosAside(draft: Draft): Promise<string[]> {
	if (draft.isOld || draft.episodeFiles.length === 0) return [];
	const used = new Set<string>();
	for (const camera of draft.cameras) for (const file of await videoFiles(draft, camera)) used.add(file);
	const unused = draft.files.filter(
		file => file.startsWith(`${videosFolder}/`) && file.endsWith('.mp4') && !used.has(file),
	);
	return putAside(draft, unused, 'no episode uses it');
}

/** Data files whose episodes are none of those that are listed. */
export async function putStrayDataAside(draft: Draft): Promise<string[]> {
	if (draft.isOld || draft.episodeFiles.length === 0) return [];
	const listed = await draft.rows<{file: number}>(
		'SELECT DISTINCT file FROM frames WHERE episode_index IN (SELECT episode_index FROM episodes)',
	);
	const known = new Set(listed.map(({file}) => draft.dataFiles[file]?.file));
	const stray = draft.files.filter(
		file => /^data\/[^/]+\/[^/]+\.parquet$/.test(file) && !known.has(file) && !draft.cut.includes(file),
	);
	for (const [place, {file}] of draft.dataFiles.entries()) {
		if (stray.includes(file)) await draft.run(`DELETE FROM frames WHERE file = ${place}`);
	}
	return putAside(draft, stray, 'no episode is listed in it');
}

export async function putTemporaryAside(draft: Draft): Promise<string[]> {
	const left = draft.files.filter(
		file => /^(tmp[^/]{8}|\.annotate_staging|temp_images)\//.test(file) || file.endsWith('.parquet.tmp'),
	);
	return putAside(draft, left, 'it was left by work that did not finish');
}

/** Progress files with rows that are of no frame. */
export async function putStaleProgressAside(draft: Draft): Promise<string[]> {
	const stale: string[] = [];
	for (const file of draft.files.filter(name => /^[a-z0-9]+_progress\.parquet$/.test(name))) {
		const wrong = await draft
			.number(
				`SELECT count(*) FROM read_parquet('${draft.real(file).replaceAll("'", "''")}') p LEFT JOIN frames f
				ON p."index" = f."index" AND p.episode_index = f.episode_index AND p.frame_index = f.frame_index WHERE f.file IS NULL`,
			)
			.catch(() => 0);
		if (wrong > 0) stale.push(file);
	}
	return putAside(draft, stale, 'it has rows of no frame');
}
