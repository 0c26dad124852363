import path from 'node:path';
import {expect, test} from 'vitest';
import {ingestListResponse, ingestRecord} from '../../source/contract/local.ts';
import type {JoinedService} from '../../source/service/front-door.ts';
import {call} from '../service/support/call.ts';
import {childrenOf, serviceHome} from '../service/support/service-home.ts';
import {smallDataset} from '../service/support/small-dataset.ts';
import {commit, ended, feed, parcelOf, send, startUpload} from '../service/support/uploading.ts';
import {patience, randomFrom, times} from './support/soak.ts';

process.env.LAKESCOPE_UPLOAD_QUIET_S = '1';
const home = serviceHome();
const points = times(20, 500);
const random = randomFrom(4711);

/** Ends the processes that a service started to read datasets, if it has any; tells whether it had. */
function killChildren(pid: number): boolean {
	const children = childrenOf(pid);
	for (const child of children) {
		try {
			process.kill(child, 'SIGKILL');
		} catch {
			// It ended meanwhile.
		}
	}
	return children.length > 0;
}

/** How much of each dataset an explore shows. */
async function shown(service: JoinedService) {
	const {items} = (await call(service, '/v1/datasets/list')).json<{
		items: Array<{path: string; artifact_id: string}>;
	}>();
	const counts: Record<string, [number, number]> = {};
	for (const {path: name, artifact_id} of items) {
		const body = {dataset_ids: [artifact_id], limit: 1};
		const answer = (await call(service, '/v1/datasets/explore', {body})).json<{
			total: number;
			total_frames: number;
		}>();
		counts[name] = [answer.total, answer.total_frames];
	}
	return counts;
}

/** Settles at a moment of its own choice, which is the point of it: a kill comes when it comes. */
const moment = () => new Promise<void>(resolve => setTimeout(resolve, random() * 700));

test(
	`kill -9 of service or child at ${points} random points: no acknowledged ingest is lost, no half-published version is seen, and the lake reopens within 5 s`,
	async () => {
		const lake = home.lake();
		const kept = await smallDataset(path.join(home.root, 'kept'), {episodes: 7, frames: 30});
		const versions = await Promise.all(
			[30, 50].map(async episodes => {
				const folder = await smallDataset(path.join(home.root, `version-${episodes}`), {
					episodes,
					frames: 120,
				});
				return {folder, episodes, parcel: await parcelOf(folder, 100_000)};
			}),
		);
		const folder = await smallDataset(path.join(home.root, 'folder'), {episodes: 40, frames: 120});
		let service = await home.join(lake);
		const first = await call(service, '/local/v1/ingests', {body: {folder: kept}});
		await ended(service, ingestRecord.parse(first.json()).operation_id);

		const accepted = new Set<string>();
		/** Dispatches a re-ingest of a folder, or of the other version of an upload. */
		const dispatch = async (point: number) => {
			if (point % 2 === 0) {
				const answer = await call(service, '/local/v1/ingests', {body: {folder}});
				expect([answer.status, answer.text]).toEqual([202, expect.any(String)]);
				accepted.add(ingestRecord.parse(answer.json()).operation_id);
				return;
			}
			const version = versions[(point >> 1) % 2] as (typeof versions)[number];
			const {upload_id} = await startUpload(service, 'uploaded', `/home/me/${point}`);
			await send(service, version.parcel, upload_id);
			const answer = await commit(service, upload_id, version.parcel.manifest);
			expect([answer.status, answer.text]).toEqual([202, expect.any(String)]);
			accepted.add(answer.json<{operation_id: string}>().operation_id);
		};
		/** What an explore may show of each dataset: whole versions alone. */
		const whole: Record<string, ReadonlyArray<readonly [number, number]>> = {
			'local/kept': [[7, 210]],
			'local/folder': [[40, 40 * 120]],
			'local/uploaded': versions.map(({episodes}) => [episodes, episodes * 120]),
		};
		const checkShown = async () => {
			const counts = await shown(service);
			expect(counts['local/kept']).toEqual([7, 210]);
			for (const [name, count] of Object.entries(counts)) {
				expect([name, count]).toEqual([name, expect.toBeOneOf([...(whole[name] ?? [])])]);
			}
		};

		for (let point = 0; point < points; point++) {
			await dispatch(point);
			await moment();
			if (random() < 0.4 && killChildren(service.pid)) continue;
			process.kill(service.pid, 'SIGKILL');
			await service.lost;
			const gone = performance.now();
			service = await home.join(lake);
			expect(performance.now() - gone).toBeLessThan(5000);
			await checkShown();
		}

		const statuses = await Promise.all([...accepted].map(id => ended(service, id)));
		for (const status of statuses) {
			expect(status.phase).toBeOneOf(['finalized', 'failed']);
			if (status.phase === 'failed') {
				expect(status.message).toMatch(
					/was killed: most likely|was killed \(SIGKILL\) by something other than lakescope|The service ended \d times while ingesting/,
				);
			}
		}
		expect(statuses.some(({phase}) => phase === 'finalized')).toBe(true);
		await checkShown();
		const {items} = ingestListResponse.parse((await call(service, '/local/v1/ingests')).json());
		for (const name of ['folder', 'uploaded']) {
			const generations = items
				.filter(item => item.dataset_name === name && item.status.phase === 'finalized')
				.map(({status}) => Number(status.generation));
			// Newest first: in the order in which they were accepted, and none of them given twice or left out.
			expect(generations).toEqual(generations.map((_, i) => Number(generations[0]) - i));
		}
		expect((await feed(service)).every(({done}) => done)).toBe(true);
	},
	patience(points, 6000),
);
