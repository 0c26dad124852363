import {type Mp4Header, readMp4Header} from '../mp4-header.ts';
import type {Draft} from './draft.ts';

type Span = {episode: number; length: number; chunk: number; number: number; from: number; to: number};

const column = (camera: string, name: string) => `"videos/${camera.replaceAll('"', '""')}/${name}"`;

/** A camera's spans by the file that they lie in, in the order of the episodes; none where the metadata has none. */
async function spansOf(draft: Draft, camera: string): Promise<Map<string, Span[]>> {
	const byFile = new Map<string, Span[]>();
	if (draft.isOld || !draft.hasColumn(`videos/${camera}/from_timestamp`)) return byFile;
	const rows = await draft.rows<Span>(
		`SELECT episode_index AS episode, "length", ${column(camera, 'chunk_index')} AS chunk, ${column(camera, 'file_index')} AS number,
		${column(camera, 'from_timestamp')} AS "from", ${column(camera, 'to_timestamp')} AS "to" FROM episodes ORDER BY episode_index`,
	);
	for (const row of rows) {
		if (row.chunk === null || row.number === null) continue;
		const file = draft.videoPath(camera, row.chunk, row.number);
		byFile.set(file, [...(byFile.get(file) ?? []), row]);
	}
	return byFile;
}

/** The video files that a camera's episodes name. */
export async function videoFiles(draft: Draft, camera: string): Promise<string[]> {
	if (draft.isOld) return draft.files.filter(file => file.includes(`/${camera}/`) && file.endsWith('.mp4'));
	return [...(await spansOf(draft, camera)).keys()];
}

const headerOf = (draft: Draft, file: string): Promise<Mp4Header | undefined> =>
	readMp4Header(draft.real(file)).catch(() => undefined);

async function setSpans(draft: Draft, camera: string, spans: readonly Span[]): Promise<void> {
	const values = spans.map(({episode, from, to}) => `(${episode}, ${from}::DOUBLE, ${to}::DOUBLE)`);
	await draft.run(
		`UPDATE episodes e SET ${column(camera, 'from_timestamp')} = v."from", ${column(camera, 'to_timestamp')} = v."to"
		FROM (VALUES ${values.join(', ')}) v(episode, "from", "to") WHERE e.episode_index = v.episode`,
	);
}

/** A span's end may be off by half a frame: LeRobot takes it from the container, whose clock is another. */
const isNear = (a: number, b: number, fps: number) => Math.abs(a - b) <= 0.5 / fps;

/** Writes the spans of a file one behind the other, where it has as many frames as its episodes. */
export async function rewriteSpans(draft: Draft): Promise<string[]> {
	const {fps} = draft.read;
	const said: string[] = [];
	for (const camera of draft.cameras) {
		for (const [file, spans] of await spansOf(draft, camera)) {
			const header = await headerOf(draft, file);
			const frames = spans.reduce((sum, {length}) => sum + length, 0);
			if (!header || header.frames !== frames) continue;
			let at = 0;
			const wanted = spans.map(span => {
				const from = at / fps;
				at += span.length;
				return {...span, from, to: at / fps};
			});
			const wrong = wanted.filter(({from, to}, place) => {
				const was = spans[place];
				return !was || !isNear(was.from, from, fps) || !isNear(was.to, to, fps);
			});
			if (wrong.length === 0) continue;
			await setSpans(draft, camera, wrong);
			said.push(
				`${file}: the spans of ${wrong.length === 1 ? 'an episode' : `${wrong.length} episodes`} are written anew from the lengths (${wrong
					.map(({episode}) => episode)
					.slice(0, 20)
					.join(', ')}).`,
			);
		}
	}
	return said;
}

/** Moves spans that begin between two frames to the nearest one, where the frames of the file are evenly spaced. */
export async function snapSpans(draft: Draft): Promise<string[]> {
	const {fps} = draft.read;
	const said: string[] = [];
	for (const camera of draft.cameras) {
		for (const [file, spans] of await spansOf(draft, camera)) {
			const header = await headerOf(draft, file);
			if (!header) continue;
			const ticks = new Set(header.stretches.map(stretch => stretch.ticks));
			const [each = 0] = ticks;
			if (ticks.size !== 1 || Math.abs(header.timescale / each - fps) > 1e-3) continue;
			const snap = (seconds: number) => Math.round(seconds * fps) / fps;
			const wrong = spans
				.map(span => ({...span, from: snap(span.from), to: snap(span.to)}))
				.filter(
					({from, to}, place) =>
						Math.abs(from - (spans[place]?.from ?? 0)) * fps > 1e-3 ||
						Math.abs(to - (spans[place]?.to ?? 0)) * fps > 1e-3,
				);
			if (wrong.length === 0) continue;
			await setSpans(draft, camera, wrong);
			said.push(
				`${file}: the spans of ${wrong.length === 1 ? 'an episode' : `${wrong.length} episodes`} are moved to the nearest frame (${wrong
					.map(({episode}) => episode)
					.slice(0, 20)
					.join(', ')}).`,
			);
		}
	}
	return said;
}

/** Gives a camera's files the names that their numbers of frames fit, where they fit one way alone. */
export async function unswapVideos(draft: Draft): Promise<string[]> {
	const said: string[] = [];
	for (const camera of draft.cameras) {
		const spans = await spansOf(draft, camera);
		const files = [...spans].map(([file, rows]) => ({
			file,
			wanted: rows.reduce((sum, {length}) => sum + length, 0),
		}));
		const frames = new Map<string, number>();
		for (const {file} of files) {
			const header = await headerOf(draft, file);
			if (header) frames.set(file, header.frames);
		}
		const wrong = files.filter(({file, wanted}) => frames.get(file) !== wanted);
		if (wrong.length < 2 || frames.size < files.length) continue;
		const fits = wrong.map(({wanted}) => wrong.filter(({file}) => frames.get(file) === wanted));
		if (fits.some(each => each.length !== 1) || new Set(fits.flat()).size !== wrong.length) continue;
		for (const [place, {file}] of wrong.entries()) {
			const from = fits[place]?.[0]?.file ?? file;
			draft.moved.set(file, from);
			said.push(`${file} becomes what is ${from}, which has as many frames as its episodes.`);
		}
	}
	return said;
}
