import {once} from 'node:events';
import {createInterface} from 'node:readline';
import {expect, onTestFinished, test} from 'vitest';
import {smallDataset} from '../service/support/small-dataset.ts';
import {programHome} from './support/program.ts';

const home = programHome();

/** A service in the foreground, as a hosted one for the commands. */
async function serve(lake: string, flags: readonly string[], env: Record<string, string> = {}) {
	const key = 'room-key';
	const child = home.start(['serve', '--lake', lake, ...flags], {...env, LAKESCOPE_API_KEY: key});
	onTestFinished(async () => {
		child.kill();
		if (child.exitCode === null) await once(child, 'exit');
	});
	if (!child.stdout) throw new Error('no stdout');
	const [line] = (await once(createInterface({input: child.stdout}), 'line')) as [string];
	return {LAKESCOPE_URL: line.replace('listening ', ''), LAKESCOPE_API_KEY: key};
}

test('uploads stop at the quota of the service, with a sentence that says how much is used', async () => {
	const small = await smallDataset(home.at('small'), {episodes: 1, frames: 30});
	const large = await smallDataset(home.at('large'), {episodes: 40, frames: 300});
	const env = await serve(home.at('lake-quota'), ['--upload-quota', '60K']);
	expect(await home.run(['upload', small], env)).toMatchObject({code: 0});
	const refused = await home.run(['upload', large], env);
	expect(refused.code).toBe(1);
	expect(refused.stderr).toMatch(
		/This service stores at most 61,440 bytes of uploads, [\d,]+ bytes are used, and this is [\d,]+ bytes more/,
	);
	const {stdout} = await home.run(['episodes', '--json'], env);
	expect(JSON.parse(stdout)).toMatchObject({total: 1});
	const wrong = await home.run(['serve', '--upload-quota', 'lots']);
	expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('--upload-quota takes bytes')]);
});

test('what is kept free for reading is used by no ingest and no upload, and reading goes on', async () => {
	const lake = home.at('lake-reserve');
	const folder = await smallDataset(home.at('push'), {episodes: 3});
	expect(await home.run(['ingest', '--lake', lake, folder])).toMatchObject({code: 0});
	// As large as no disk is: whatever is free is less.
	const env = {LAKESCOPE_RESERVE_BYTES: String(2 ** 62)};
	const ingest = await home.run(['ingest', '--lake', home.at('lake-other'), folder], env);
	expect(ingest.code).toBe(1);
	expect(ingest.stderr).toMatch(
		/There is no room to ingest push: .* MiB are kept so that the lake can be read/,
	);
	const service = await serve(lake, [], env);
	const other = await smallDataset(home.at('other'), {episodes: 1});
	const upload = await home.run(['upload', other], service);
	expect(upload.code).toBe(1);
	expect(upload.stderr).toContain('There is no room left for uploads');
	expect(JSON.parse((await home.run(['episodes', '--json'], service)).stdout)).toMatchObject({total: 3});
});
