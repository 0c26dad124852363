import {existsSync} from 'node:fs';
import {mkdir, readdir, readFile, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {expect, test} from 'vitest';
import {composeRecord} from '../../../source/contract/local-compose.ts';
import {standInFfmpeg} from '../../support/stand-in-ffmpeg.ts';
import {armDataset, siblings} from '../support/arm-dataset.ts';
import {type Address, call} from '../support/call.ts';
import {exploreLocally, idOf, ingestFolder} from '../support/ingesting.ts';
import {serviceHome} from '../support/service-home.ts';

const home = serviceHome();
const front = 'observation.images.front';

/** A service with a dataset of three filmed episodes, and a program on its path that is called like ffmpeg. */
async function filmed(name: string, body: string) {
	const folder = await armDataset(path.join(home.root, name), siblings(3), {cameras: [front]});
	const film = path.join(folder, 'videos', front, 'chunk-000', 'file-000.mp4');
	await mkdir(path.dirname(film), {recursive: true});
	await writeFile(film, 'a film');
	const standIn = await standInFfmpeg(path.join(home.root, `${name}-tools`), body);
	const before = process.env.PATH;
	process.env.PATH = `${standIn.folder}:${before}`;
	const lake = home.lake();
	const service = await home.join(lake).finally(() => {
		process.env.PATH = before;
	});
	await ingestFolder(service, folder);
	const {episodes} = await exploreLocally(service);
	return {service, lake, standIn, id: idOf(episodes, 1)};
}

async function ordered(service: Address, id: string) {
	const answer = await call(service, '/local/v1/compose', {body: {name: 'part', episode_ids: [id]}});
	return composeRecord.parse(answer.json());
}

const recordOf = async (service: Address, id: string) =>
	composeRecord.parse((await call(service, `/local/v1/compose/${id}`)).json());

function isRunning(pid: number): boolean {
	return existsSync(`/proc/${pid}`);
}

test('while a video is cut that is said, and who gives it up ends ffmpeg and leaves nothing', async () => {
	const {service, lake, standIn, id} = await filmed('given-up', 'exec sleep 600');
	const {operation_id} = await ordered(service, id);
	const step = async () => (await recordOf(service, operation_id)).status.progress_json ?? '';
	await expect.poll(step).toContain('cutting videos');
	await expect.poll(() => standIn.pid()).toBeGreaterThan(0);
	const pid = await standIn.pid();
	expect(isRunning(pid)).toBe(true);
	const cancel = await call(service, `/local/v1/compose/${operation_id}/cancel`, {method: 'POST'});
	expect(composeRecord.parse(cancel.json()).status).toMatchObject({
		phase: 'failed',
		message: 'It was cancelled.',
	});
	await expect.poll(() => isRunning(pid)).toBe(false);
	await expect.poll(() => readdir(path.join(lake, 'composed'))).toEqual([]);
});

test('a service that is killed while a video is cut leaves no ffmpeg behind, and the next one makes the dataset', async () => {
	const {service, lake, standIn, id} = await filmed('killed', 'exec sleep 600');
	const {operation_id} = await ordered(service, id);
	await expect.poll(() => standIn.pid()).toBeGreaterThan(0);
	const pid = await standIn.pid();
	process.kill(service.pid, 'SIGKILL');
	await expect.poll(() => isRunning(pid)).toBe(false);
	await writeFile(standIn.command, '#!/bin/sh\necho "moov atom not found" >&2\nexit 1\n');
	const before = process.env.PATH;
	process.env.PATH = `${standIn.folder}:${before}`;
	const next = await home.join(lake).finally(() => {
		process.env.PATH = before;
	});
	await expect.poll(async () => (await recordOf(next, operation_id)).status.phase).toBe('finalized');
	const {folder, summary} = await recordOf(next, operation_id);
	expect(summary).toMatchObject({videos: 1, videos_cut: 0, video_bytes: 6, video_bytes_linked: 6});
	expect(summary?.videos_note).toBe(
		'1 video file was taken whole, with the episodes that were not chosen: ffmpeg cannot cut it: moov atom not found.',
	);
	expect(await readFile(path.join(folder, 'videos', front, 'chunk-000/file-000.mp4'), 'utf8')).toBe('a film');
	expect(await readdir(path.dirname(folder))).toEqual(['part']);
});
