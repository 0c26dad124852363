import {rm} from 'node:fs/promises';
import path from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {ended, programHome} from '../commands/support/program.ts';
import {serviceHome} from '../service/support/service-home.ts';
import {blobsIn, sha256} from '../service/support/uploading.ts';
import {writeLerobotDataset} from '../support/lerobot-dataset.ts';
import {sentAgain, startRecordingProxy} from '../upload/support/recording-proxy.ts';
import {manyFiles, sendAll, senderTo, writeFiles} from '../upload/support/sending.ts';
import {patience, randomFrom, times} from './support/soak.ts';

const home = programHome();
const services = serviceHome();
const random = randomFrom(30_303);

/** None missing, none corrupt: what a lake holds is what it is called. */
async function expectWhole(lake: string, wanted: Iterable<string>): Promise<void> {
	const {blobs} = await blobsIn(lake);
	for (const [name, content] of blobs) expect(sha256(content)).toBe(name);
	for (const blobId of wanted) expect(blobs.has(blobId)).toBe(true);
}

/** Starts a service of its own, which outlives the clients that are killed. */
async function serve(lake: string, key: string): Promise<string> {
	const child = home.start(['serve', '--lake', lake], {LAKESCOPE_API_KEY: key});
	onTestFinished(() => {
		child.kill('SIGTERM');
	});
	return new Promise(resolve => {
		let text = '';
		child.stdout?.on('data', chunk => {
			text += chunk;
			const url = /^listening (http:\S+)\n/.exec(text)?.[1];
			if (url) resolve(url);
		});
	});
}

const clientKills = times(8, 70);

/** Moments of an upload, from its first request on, that lie evenly over it however few they are, in a mixed order. */
const momentOf = (turn: number, of: number, limit: number) =>
	1 + Math.floor(((((turn * 11) % of) + random()) / of) * limit);

test(
	`crash in upload: the client killed at ${clientKills} points sends nothing twice, and in the end everything is there`,
	async () => {
		const key = 'a-key-of-the-test';
		const lake = home.at('lake');
		const proxy = await startRecordingProxy(await serve(lake, key));
		onTestFinished(proxy.close);
		const folder = home.at('datasets', 'pushes');
		await writeLerobotDataset(folder, {episodes: [{frames: 30}, {frames: 30}], episodesPerFile: 1});
		const upload = () => home.start(['upload', folder], {LAKESCOPE_URL: proxy.url, LAKESCOPE_API_KEY: key});
		let filled = 0;
		for (let kills = 0, turn = 0; kills < clientKills; turn++) {
			const child = upload();
			// From the first question to after the commit, where there is something to be sent.
			let left = momentOf(turn, clientKills, 40);
			proxy.onPassing = () => {
				if (--left === 0) child.kill('SIGKILL');
			};
			const {code, signal, stderr} = await ended(child);
			if (signal === 'SIGKILL') {
				kills++;
				await proxy.quiet();
				continue;
			}
			expect([code, stderr]).toEqual([0, expect.any(String)]);
			await rm(path.join(folder, 'data', `more-${filled - 1}`), {recursive: true, force: true});
			await writeFiles(path.join(folder, 'data', `more-${filled}`), manyFiles(20, `filling ${filled++}`));
		}
		proxy.onPassing = undefined;
		expect(await ended(upload())).toMatchObject({
			code: 0,
			stdout: expect.stringMatching(/^pushes: 2 episodes, 60 frames\b/),
		});
		expect(sentAgain(proxy.puts)).toEqual([]);
		await expectWhole(
			lake,
			proxy.puts.filter(({confirmed}) => confirmed !== undefined).map(({blobId}) => blobId),
		);
	},
	patience(clientKills * 2, 3000),
);

const serviceKills = times(5, 30);

test(
	`crash in upload: the service killed at ${serviceKills} points keeps everything it confirmed, and is sent none of it again`,
	async () => {
		process.env.XDG_STATE_HOME = path.join(services.root, 'state');
		const lake = services.lake();
		let service = await services.join(lake);
		const proxy = await startRecordingProxy(service.url);
		onTestFinished(proxy.close);
		const folder = path.join(services.root, 'dataset');
		let brokenOff = 0;
		for (let kills = 0; kills < serviceKills; kills++) {
			await writeFiles(folder, manyFiles(30, `round ${kills}`, 3000));
			let left = momentOf(kills, serviceKills, 60);
			proxy.onPassing = () => {
				if (--left === 0) process.kill(service.pid, 'SIGKILL');
			};
			const through = {url: proxy.url, key: service.key};
			const retry = {tries: 2, firstDelayMs: 4, maxDelayMs: 10};
			const outcome = await sendAll(folder, await senderTo(through, {retry})).catch((error: Error) => error);
			proxy.onPassing = undefined;
			if (left > 0) process.kill(service.pid, 'SIGKILL');
			// A kill with only answers still on their way breaks nothing off.
			if (outcome instanceof Error) brokenOff++;
			await service.lost;
			service = await services.join(lake);
			proxy.leadTo(service.url);
			const again = await senderTo({url: proxy.url, key: service.key});
			const {files} = await sendAll(folder, again);
			await expectWhole(
				lake,
				files.flatMap(({blobs}) => blobs.map(({blob_id}) => blob_id)),
			);
		}
		expect(sentAgain(proxy.puts)).toEqual([]);
		expect(brokenOff).toBeGreaterThan(0);
	},
	patience(serviceKills, 5000),
);
