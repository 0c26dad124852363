import {expect, onTestFinished, test} from 'vitest';
import {writeDataset} from '../../source/lerobot/write-dataset.ts';
import {programHome} from '../commands/support/program.ts';
import {startHostedService} from '../hosted-service/server.ts';
import {explore, isFresh} from './support.ts';

const home = programHome();
const line = 'tier:retrainable quality_score>=0.8 max(action.gripper.pos)>50';

/** Forty episodes of an arm whose hand opens wider from one to the next; every third one trembles, some never move. */
async function dataset(folder: string): Promise<string> {
	const names = ['elbow.pos', 'gripper.pos'];
	const feature = {dtype: 'float32', shape: [names.length], names};
	const episodes = Array.from({length: 40}, (_, index) => {
		const values = new Float32Array(240 * names.length);
		for (let frame = 0; frame < 240 && index % 10 !== 9; frame++) {
			const tremble = index % 3 === 0 ? 12 * (frame % 2) : 0;
			values[frame * 2] = 40 * Math.sin(frame / 30) + tremble;
			values[frame * 2 + 1] = (30 + index) * Math.sin(frame / 40) ** 2 + tremble;
		}
		const both = {action: values, 'observation.state': values};
		return {length: 240, tasks: ['Open the hand'], values: both, videos: {}};
	});
	const features = {action: feature, 'observation.state': feature};
	await writeDataset(folder, {robotType: 'hand', fps: 30, features}, episodes);
	return folder;
}

/** What the explorer counts, and how many lines the command prints. */
async function bothOf(args: readonly string[], env: Record<string, string>) {
	const explorer = explore(home, [...args, line], {cols: 120, rows: 30, env});
	const shown = await explorer.until(
		screen => isFresh(screen) && screen.rows[1]?.startsWith(` / ${line} `),
		'the filtered result',
	);
	explorer.press('q');
	await explorer.untilExit();
	const printed = await home.run(['episodes', ...args, line, '--jsonl', '--all'], env);
	expect(printed).toMatchObject({code: 0, stderr: ''});
	const lines = printed.stdout.split('\n').slice(0, -1);
	return {
		counted: Number(/1 of ([\d,]+)/.exec(shown.rows[1] ?? '')?.[1]?.replaceAll(',', '')),
		lines: new Set(lines.map(each => JSON.parse(each).episode_id)).size,
	};
}

test('the command prints as many episodes as the explorer counts, on a lake of this machine', async () => {
	const lake = home.at('lake');
	const ingest = await home.run(['ingest', '--lake', lake, await dataset(home.at('open-hand'))]);
	expect(ingest.code).toBe(0);
	const {counted, lines} = await bothOf(['--lake', lake], {});
	expect(lines).toBe(counted);
	expect(counted).toBeGreaterThan(0);
	expect(counted).toBeLessThan(20);
});

test('… and on a service elsewhere', async () => {
	const service = await startHostedService({episodes: 5000});
	onTestFinished(() => service.close());
	const {counted, lines} = await bothOf(['--url', service.url], {LAKESCOPE_API_KEY: service.key});
	expect(lines).toBe(counted);
	expect(counted).toBeGreaterThan(50);
});
