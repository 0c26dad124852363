import {expect, test} from 'vitest';
import type {LakeEpisode} from '../../../source/contract/episode.ts';
import {readThinning, Thinner, thinningWords} from '../../../source/store/selection/thinning.ts';

const episodes = Array.from(
	{length: 900},
	(_, at) =>
		({
			episode_id: `id-${at}`,
			task: ['fold', 'push', 'pour'][at % 3],
			quality_score: (at * 7919) % 997,
			duration_seconds: at,
		}) as LakeEpisode,
);

function thinned(text: string, given: readonly LakeEpisode[] = episodes): readonly LakeEpisode[] {
	const read = readThinning(text);
	if (!read.ok) throw new Error(read.reason);
	const thinner = new Thinner(read.thinning);
	for (let at = 0; at < given.length; at += 64) thinner.add(given.slice(at, at + 64));
	expect(thinner.seen).toBe(given.length);
	return thinner.kept();
}

const ids = (kept: readonly LakeEpisode[]) => kept.map(({episode_id}) => episode_id).sort();

test('chance keeps as many of each task, the same ones whenever the seed is the same, in whatever order they come', () => {
	const kept = thinned('random 100 a task');
	const counts = Map.groupBy(kept, ({task}) => task);
	expect([...counts].map(([task, members]) => [task, members.length]).sort()).toEqual([
		['fold', 100],
		['pour', 100],
		['push', 100],
	]);
	expect(ids(thinned('random 100 a task seed 1', episodes.toReversed()))).toEqual(ids(kept));
	expect(ids(thinned('random 100 a task seed 2'))).not.toEqual(ids(kept));
	const first = thinned('random 10').filter(({task}) => task === 'fold');
	const indices = first.map(({duration_seconds}) => Number(duration_seconds));
	expect(Math.max(...indices)).toBeGreaterThan(300);
});

test('top and bottom keep those with the highest and the lowest figure of each task', () => {
	const bestOf = (task: string, sign: 1 | -1) =>
		episodes
			.filter(each => each.task === task)
			.map(({quality_score}) => Number(quality_score))
			.sort((a, b) => sign * (b - a))
			.slice(0, 20);
	for (const [how, sign] of [
		['top', 1],
		['bottom', -1],
	] as const) {
		const kept = thinned(`${how} 20 a task by quality_score`);
		expect(kept).toHaveLength(60);
		const fold = kept.filter(({task}) => task === 'fold').map(({quality_score}) => Number(quality_score));
		expect(fold.sort((a, b) => sign * (b - a))).toEqual(bestOf('fold', sign));
	}
});

test.each([
	['random', /Write random N a task/],
	['random 0 a task', /at least 1/],
	['top 5 a task', /^Name the figure, such as .{1,40}$/],
	['top 5 a task by quality', /^quality is not a figure; did you mean quality_score\?$/],
	['top 5 a task by beauty', /^beauty is not a figure such as .{1,40}$/],
	['random 5 a task by sparc', /no figure/],
])('%s is not done, and says what is missing', (text, reason) => {
	const read = readThinning(text);
	expect(read.ok ? thinningWords(read.thinning) : read.reason).toMatch(reason);
});

test.each(['top 3 a task by oddness', 'top 3 a task by doubt'])('%s goes by the figure of the wire', text => {
	const read = readThinning(text);
	expect(read).toMatchObject({ok: true, thinning: {sort: {by: 'doubt', direction: 'desc'}}});
	expect(read.ok && thinningWords(read.thinning)).toBe('top 3 a task by oddness');
});
