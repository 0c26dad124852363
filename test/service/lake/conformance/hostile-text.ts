import {expect, test} from 'vitest';
import {dataset, episode} from '../lake-model.ts';
import type {TestLakes} from '../test-lake.ts';

/** What a task, a tag or a channel may be called by somebody who means harm, or by accident. */
const hostile = [
	`'; DROP TABLE episode; --`,
	`"quoted" and 'quoted' and \\escaped\\ $1 ? :name`,
	'\u001b[2J\u001b]52;c;aGk=\u0007',
	'nul\u0000inside',
	'line\r\nline\ttab',
	'\u202eright to left\u2066',
	'zero\u200bwidth\ufeff',
	'👩‍👩‍👧‍👦 e\u0301 \u{e0041}',
	'\uffff\u{10ffff}',
	'[a]*?%_',
	' ',
	'{"json": [1]}',
	'__proto__',
	'x'.repeat(2000),
];

/** Text of any kind: what every engine of the lake must do. */
export function hostileTextConformance(lakes: TestLakes): void {
	test('text of any kind is stored, counted, found and returned as it came', async () => {
		const lake = await lakes.open(
			dataset(
				'a',
				hostile.map((text, index) =>
					episode(index, {
						task: text,
						marker_signature: text,
						tags: [text, 'tag'],
						details: JSON.stringify({[text]: text}),
						parent_dataset: text,
						parent_episode_index: 0,
						channels: [
							{
								stream: 'action',
								channel: text.slice(0, 512),
								native_channel: `action.${text}`.slice(0, 512),
								native_index: index,
								max: 1,
								min: 1,
								mean: 1,
								std: 1,
							},
						],
					}),
				),
				hostile[2],
			),
		);
		const {facets} = await lake.explore();
		const listed = (values: ReadonlyArray<{value: string}>) => values.map(({value}) => value).toSorted();
		expect(listed(facets.by_task)).toEqual(hostile.toSorted());
		expect(listed(facets.by_marker_signature ?? [])).toEqual(hostile.toSorted());
		expect(listed(facets.by_interface_hash)).toEqual([hostile[2]]);
		for (const [index, text] of hostile.entries()) {
			const answer = await lake.explore({
				tasks: [text],
				marker_signatures: [text],
				tags: [text],
				interface_hashes: [hostile[2] ?? ''],
				search: text,
				channel_predicates: [{channel: text.slice(0, 512), agg: 'max', op: 'gt', value: 0}],
			});
			expect(answer.total).toBe(1);
			expect(answer.episodes[0]).toMatchObject({
				episode_index: index,
				task: text,
				tags: [text, 'tag'],
				parent_episode_id: null,
			});
			expect(Object.getOwnPropertyDescriptor(answer.episodes[0]?.metrics, text)?.value).toBe(text);
			expect(answer.channel_predicate_evidence).toMatchObject([
				{channel: text.slice(0, 512), native_channel: `action.${text}`.slice(0, 512), native_index: index},
			]);
		}
		expect((await lake.explore({dataset_ids: hostile})).total).toBe(0);
		expect((await lake.lake.datasets({limit: 10, sort: 'name', search: `' OR 1=1 --`})).items).toEqual([]);
	});
}
