import {realpath} from 'node:fs/promises';
import path from 'node:path';

/** Where LeRobot v3.0 keeps things under a dataset's root. */
export const infoPath = 'meta/info.json';
export const tasksPath = 'meta/tasks.parquet';
export const subtasksPath = 'meta/subtasks.parquet';
export const episodesFolder = 'meta/episodes';
export const videosFolder = 'videos';
export const defaultDataPath = 'data/chunk-{chunk_index:03d}/file-{file_index:03d}.parquet';
export const defaultVideoPath = 'videos/{video_key}/chunk-{chunk_index:03d}/file-{file_index:03d}.mp4';

/** Padded to some digits at most: what asks for millions of them names no file. */
const placeholder = /\{(\w+)(?::0?(\d{1,2})d)?\}/g;

/** Fills a path template of `info.json`, Python format specifications (`{file_index:03d}`) included. */
export function fillTemplate(template: string, values: Readonly<Record<string, string | number>>): string {
	return template.replace(placeholder, (whole, name: string, width: string | undefined) => {
		const value = values[name];
		return value === undefined ? whole : String(value).padStart(Number(width ?? 0), '0');
	});
}

/** A pattern that a path made from the template matches. Numbers may be longer than their padding. */
export function templatePattern(template: string): RegExp {
	let source = '';
	let end = 0;
	for (const match of template.matchAll(placeholder)) {
		source += escaped(template.slice(end, match.index));
		source += match[2] === undefined ? '[^/]+' : '\\d+';
		end = match.index + match[0].length;
	}
	return new RegExp(`^${source}${escaped(template.slice(end))}$`);
}

function escaped(text: string): string {
	return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** The part of a template before its first placeholder's folder: where its files are to be looked for. */
export function templateFolder(template: string): string {
	return path.posix.dirname(`${template.split('{', 1)[0]}x`);
}

export type Located =
	| {readonly found: true; readonly path: string}
	| {readonly found: false; readonly reason: 'missing' | 'outside' | 'unreadable'};

/**
 * Finds a dataset's file without ever leaving the dataset: neither `..`, nor an absolute path, nor a symbolic
 * link leads out.
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
		return isInside(root, real) ? {found: true, path: real} : {found: false, reason: 'outside'};
	} catch (error) {
		const {code} = error as NodeJS.ErrnoException;
		return {found: false, reason: code === 'ENOENT' || code === 'ENOTDIR' ? 'missing' : 'unreadable'};
	}
}

/** Whether an absolute path without links lies below a root. */
export function isInside(root: string, file: string): boolean {
	const relative = path.relative(root, file);
	return (
		relative !== '' &&
		relative !== '..' &&
		!relative.startsWith(`..${path.sep}`) &&
		!path.isAbsolute(relative)
	);
}
