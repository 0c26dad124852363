import {expect, test} from 'vitest';
import {suspect, triageReport} from '../../source/contract/triage.ts';
import {armDataset, siblings} from '../service/support/arm-dataset.ts';
import {programHome} from './support/program.ts';

const home = programHome();

test('triage prints the suspects of a folder worst first, with findings that fit their schema, and ends with 6 for CI', async () => {
	const faults = new Map([
		[12, {seconds: 11}],
		[13, {offset: 17}],
	]);
	const folder = await armDataset(
		home.at('recorded'),
		siblings(40).map((episode, index) => ({...episode, ...faults.get(index)})),
	);
	const first = await home.run(['triage', folder, '--json', '--fail-on', 'suspect']);
	expect(first.stderr).toContain('at or above 1');
	expect(first.code).toBe(6);
	const report = triageReport.strict().parse(JSON.parse(first.stdout));
	expect(report.episodes).toBe(40);
	expect(report.suspects.map(({episode_index}) => episode_index).sort((a, b) => a - b)).toEqual([12, 13]);
	const oddness = report.suspects.map(each => each.oddness ?? 0);
	expect(oddness).toEqual([...oddness].sort((a, b) => b - a));
	const off = report.suspects.find(({episode_index}) => episode_index === 13);
	expect(off?.motion_score_version).toBe(2);
	const finding = off?.findings.find(({tag}) => tag === 'off-leader');
	expect(finding).toMatchObject({channels: ['action.elbow_flex.pos'], siblings: 39});
	expect(finding?.beyond).toBeGreaterThanOrEqual(38);
	expect(finding?.size).toBeGreaterThan(3);

	const lines = await home.run(['triage', 'dataset:recorded', '--jsonl', '--fail-on', '50']);
	expect(lines.code).toBe(0);
	for (const line of lines.stdout.trim().split('\n')) suspect.strict().parse(JSON.parse(line));
	const text = await home.run(['triage', 'dataset:recorded']);
	expect(text.stdout).toMatch(/^2 of 40 episodes suspect\nrecorded 1[23]: oddness /);
	expect(text.stdout).toContain('siblings');
	expect((await home.run(['triage', '--fail-on', 'much'])).code).toBe(2);
});
