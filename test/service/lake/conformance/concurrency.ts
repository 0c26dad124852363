import {expect, test} from 'vitest';
import {times} from '../../../faults/support/soak.ts';
import {dataset, episode} from '../lake-model.ts';
import type {TestLakes} from '../test-lake.ts';

/** A generation whose episodes all say which one they are of, with one channel more each time. */
function generation(number: number) {
	const channels = Array.from({length: 30 + number}, (_, index) => ({
		stream: 'action' as const,
		channel: `joint ${index}`,
		native_channel: `action.joint ${index}`,
		native_index: index,
		max: number,
		min: 0,
		mean: 0,
		std: 0,
	}));
	const episodes = Array.from({length: 20 + number}, (_, index) =>
		episode(index, {task: `generation ${number}`, frame_count: 10n, duration_s: 2, channels}),
	);
	return dataset('a', episodes);
}

/** Reading while something is published: what every engine of the lake must do. */
export function concurrencyConformance(lakes: TestLakes): void {
	test('an explore during a publication sees one generation, whole', async () => {
		const lake = await lakes.open(
			generation(1),
			dataset('b', [episode(0, {task: 'apart', frame_count: 1n})]),
		);
		const generations = times(5, 8);
		const staged = [];
		for (let number = 2; number <= generations; number++) {
			staged.push(await lake.stager.stage(lake.folder, generation(number)));
		}
		let publishing = true;
		const publications = Promise.all(staged.map(publication => lake.lake.publish(publication))).finally(
			() => {
				publishing = false;
			},
		);
		const seen = new Set<number>();
		const explorer = async () => {
			while (publishing) {
				const answer = await lake.explore({
					limit: 200,
					dataset_ids: [generation(1).dataset_id],
					channel_predicates: [{channel: 'joint 3', agg: 'max', op: 'gt', value: 0}],
				});
				const number = Number(answer.facets.by_task[0]?.value.split(' ')[1]);
				seen.add(number);
				expect(answer.facets.by_task).toEqual([{value: `generation ${number}`, count: 20 + number}]);
				expect(answer).toMatchObject({
					total: 20 + number,
					total_frames: 10 * (20 + number),
					total_duration_seconds: 2 * (20 + number),
				});
				expect(answer.episodes).toHaveLength(20 + number);
				expect(new Set(answer.episodes.map(({task}) => task))).toEqual(new Set([`generation ${number}`]));
				expect(new Set(answer.episodes.map(({dataset_version_id}) => dataset_version_id)).size).toBe(1);
				expect(answer.channel_predicate_evidence).toMatchObject([{observed_value: number}]);
			}
		};
		const explorers = Promise.all(Array.from({length: times(3, 6)}, explorer));
		await publications;
		await explorers;
		expect(seen.size).toBeGreaterThan(1);
		expect(await lake.lake.dataset('a')).toMatchObject({generation: generations});
		const held = 20 + generations;
		expect(await lake.lake.totals()).toMatchObject({episodes: held + 1, frames: 10 * held + 1});
	});

	test('closing waits for what is under way', async () => {
		const lake = await lakes.open(generation(1));
		const staged = await lake.stager.stage(lake.folder, generation(2));
		const running = [lake.lake.publish(staged), ...Array.from({length: 10}, () => lake.explore())];
		await lake.reopen();
		await Promise.all(running);
		expect(await lake.lake.totals()).toMatchObject({episodes: 22});
	});
}
