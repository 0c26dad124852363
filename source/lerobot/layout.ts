import {lstat, realpath} from 'node:fs/promises';
import path from 'node:path';
import {isBlobOf} from '../files/hub-cache.ts';

/** Where LeRobot v3.0 keeps things under a dataset's root. */
export const infoPath = 'meta/info.json';
export const statsPath = 'meta/stats.json';
export const tasksPath = 'meta/tasks.parquet';
export const subtasksPath = 'meta/subtasks.parquet';
export const episodesFolder = 'meta/episodes';
export const videosFolder = 'videos';
export const defaultDataPath = 'data/chunk-{chunk_index:03d}/file-{file_index:03d}.parquet';
export const defaultVideoPath = 'videos/{video_key}/chunk-{chunk_index:03d}/file-{file_index:03d}.mp4';

/** Most digits that a placeholder is padded to: a template that asks for millions names no file. */
const placeholder = /\{(\w+)(?::0?(\d{1,2})d)?\}/g;

/** Fills a path template of `info.json`, Python format specifications (`{file_index:03d}`) included. */
export function fillTemplate(template: string, values: Readonly<Record<string, string | number>>): string {
	return template.replace(placeholder, (whole, name: string, width: string | undefined) => {
		const value = values[name];
		return value === undefined ? whole : String(value).padStart(Number(width ?? 0), '0');
	});
}

/** A stretch of a template: text as it stands, or a placeholder's digits or characters other than `/`, at least one. */
type TemplatePart = string | {readonly isNumber: boolean};

/**
 * Makes a test for paths made from a template. Numbers may be longer than their padding. A dataset's own words make the
 * template, so its time is bounded by parts × length: a regular expression of thirty placeholders takes minutes for a path.
 */
export function templateMatcher(template: string): (path: string) => boolean {
	const parts: TemplatePart[] = [];
	let end = 0;
	for (const match of template.matchAll(placeholder)) {
		parts.push(template.slice(end, match.index), {isNumber: match[2] !== undefined});
		end = match.index + match[0].length;
	}
	parts.push(template.slice(end));
	const shortest = parts.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : 1), 0);
	return path => path.length >= shortest && matches(parts, path);
}

function matches(parts: readonly TemplatePart[], path: string): boolean {
	// The places in the path that the parts so far can end at, in order.
	let ends = [0];
	for (const part of parts) {
		ends = typeof part === 'string' ? endsOfText(path, part, ends) : endsOfPlaceholder(path, part, ends);
		if (ends.length === 0) return false;
	}
	return ends.at(-1) === path.length;
}

function endsOfText(path: string, text: string, starts: readonly number[]): number[] {
	return starts.filter(start => path.startsWith(text, start)).map(start => start + text.length);
}

function endsOfPlaceholder(
	path: string,
	{isNumber}: {isNumber: boolean},
	starts: readonly number[],
): number[] {
	const ends: number[] = [];
	for (const start of starts) {
		// An earlier start has covered everything up to where it stopped.
		for (let at = Math.max(start, ends.at(-1) ?? 0); at < path.length; at++) {
			const char = path.charAt(at);
			if (isNumber ? char < '0' || char > '9' : char === '/') break;
			ends.push(at + 1);
		}
	}
	return ends;
}

/** The part of a template before its first placeholder's folder: where its files are to be looked for. */
export function templateFolder(template: string): string {
	return path.posix.dirname(`${template.split('{', 1)[0]}x`);
}

type Located =
	| {readonly found: true; readonly path: string}
	| {
			readonly found: false;
			readonly reason:
				| 'missing'
				| 'outside'
				| 'unreadable'
				| 'a link to a file that is not there'
				| 'a link that leads back to itself';
	  };

/**
 * Finds a dataset's file without ever leaving the dataset: neither `..`, nor an absolute path, nor a symbolic
 * link leads out. The files of a snapshot in the Hub's cache may be links to blobs of the same repository.
 *
 * @param root the dataset's root as `realpath` gives it.
 */
export async function locate(root: string, relative: string): Promise<Located> {
	const lexical = path.resolve(root, relative);
	if (path.isAbsolute(relative) || relative.includes('\0') || !isInside(root, lexical)) {
		return {found: false, reason: 'outside'};
	}
	try {
		const real = await realpath(lexical);
		const isOwn = isInside(root, real) || isBlobOf(root, real);
		return isOwn ? {found: true, path: real} : {found: false, reason: 'outside'};
	} catch (error) {
		const {code} = error as NodeJS.ErrnoException;
		if (code === 'ELOOP') return {found: false, reason: 'a link that leads back to itself'};
		if (code !== 'ENOENT' && code !== 'ENOTDIR') return {found: false, reason: 'unreadable'};
		const isLink = await lstat(lexical).then(
			entry => entry.isSymbolicLink(),
			() => false,
		);
		return {found: false, reason: isLink ? 'a link to a file that is not there' : 'missing'};
	}
}

/** True if an absolute path without links lies below a root. */
export function isInside(root: string, file: string): boolean {
	const relative = path.relative(root, file);
	return (
		relative !== '' &&
		relative !== '..' &&
		!relative.startsWith(`..${path.sep}`) &&
		!path.isAbsolute(relative)
	);
}

/** Where LeRobot v2.1 keeps things under a dataset's root: one data file, and one video a camera, an episode. */
export const tasksPathV21 = 'meta/tasks.jsonl';
export const episodesPathV21 = 'meta/episodes.jsonl';
export const episodeStatsPathV21 = 'meta/episodes_stats.jsonl';
export const subtasksPathV21 = 'meta/subtasks.jsonl';
export const defaultDataPathV21 = 'data/chunk-{episode_chunk:03d}/episode_{episode_index:06d}.parquet';
export const defaultVideoPathV21 =
	'videos/chunk-{episode_chunk:03d}/{video_key}/episode_{episode_index:06d}.mp4';
/** Episodes in a chunk folder, where `info.json` does not say. */
export const defaultChunksSizeV21 = 1000;
