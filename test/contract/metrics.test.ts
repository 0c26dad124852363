import {expect, test, vi} from 'vitest';
import {createScreen} from '../../source/components/screen.tsx';
import {signsFor} from '../../source/components/signs.ts';
import {exploreRequest} from '../../source/contract/explore.ts';
import {histogramRequest} from '../../source/contract/local-distribution.ts';
import {
	abilitiesFor,
	type ExploreQuestion,
	localExploreRequest,
	metricAbilities,
} from '../../source/contract/local-explore.ts';
import {localTriageEndpoints} from '../../source/contract/local-triage-endpoints.ts';
import {
	heldMetrics,
	type MetricName,
	metricNames,
	metricOf,
	metricValue,
	metricWords,
} from '../../source/contract/metrics.ts';
import {numericFields} from '../../source/contract/vocabulary.ts';
import {measureEpisode} from '../../source/motion/episode-metrics.ts';
import {columnOf, knownColumns} from '../../source/panes/episodes/columns.ts';
import {episodeSections} from '../../source/panes/series/episode-fields.ts';
import {figuresOf} from '../../source/panes/series/figure-lines.ts';
import {complete} from '../../source/query/complete.ts';
import {parse} from '../../source/query/parse.ts';
import {print} from '../../source/query/print.ts';
import {stagedEpisodeColumns} from '../../source/service/ingest/staged-columns.ts';
import {jsonSchema} from '../../source/service/openapi/json-schema.ts';
import {csvColumns} from '../../source/store/export/episode-forms.ts';
import {readThinning} from '../../source/store/selection/thinning.ts';
import {dataset, episode} from '../service/lake/lake-model.ts';
import {testLakes} from '../service/lake/test-lake.ts';
import type {MetricTable} from '../support/new-metric.ts';

// The program with one more entry in the table of metrics, and nothing else: each place below must know it.
vi.mock('../../source/contract/metrics.ts', async original => {
	const {withNewMetric} = await import('../support/new-metric.ts');
	return withNewMetric(await original<MetricTable>(), 'grip_slips');
});
const added = 'grip_slips' as MetricName;

const screen = createScreen({colour: false, attributes: false, ascii: false}, signsFor({unicode: true}));
const lakes = testLakes();

/** Lets through episodes with at least so much of a metric. */
const atLeast = (field: MetricName, value: number): ExploreQuestion => ({
	numeric_predicates: [{field, op: 'gte', value}],
});

/** Two episodes, of whom the second has more of every metric. */
async function measuredLake() {
	const measured = (index: number, value: number) =>
		episode(index, {
			frame_count: BigInt(value * 10),
			duration_s: value,
			quality_score: value / 100,
			numbers: Object.fromEntries(heldMetrics.map((name, place) => [name, value + place])),
		});
	return (await lakes.open(dataset('cups', [measured(0, 10), measured(1, 50)]))).lake;
}

test('the table has every field of the interface, in its order, and what is added behind them', () => {
	expect(metricNames).toEqual([...numericFields, added]);
});

test.each(numericFields)('ingest measures %s', name => {
	const signal = {values: Float32Array.from({length: 200}, (_, at) => Math.sin(at / 9)), dims: 1};
	const {metrics} = measureEpisode({
		frames: 200,
		fps: 30,
		action: signal,
		state: signal,
		telemetry: [],
		timestamps: Float64Array.from({length: 200}, (_, frame) => frame / 30),
		cameraSpans: [{from: 0, to: 6}],
	});
	expect(metrics[name]).toEqual(expect.any(Number));
});

test.each(metricNames)('%s is staged by an ingest', name => {
	expect(stagedEpisodeColumns.map(column => column.name)).toContain(name);
});

test('every metric is kept by the lake, filtered, sorted and counted by', async () => {
	const lake = await measuredLake();
	const [first, second] = (await lake.localExplore(localExploreRequest.parse({}))).episodes;
	if (!first || !second) throw new Error('The lake has not both episodes.');
	for (const name of metricNames) {
		const [low, high] = [metricValue(first, name), metricValue(second, name)].map(Number);
		expect(low, name).toBeLessThan(Number(high));
		const filtered = await lake.localExplore(localExploreRequest.parse(atLeast(name, Number(high))));
		expect([filtered.total, filtered.episodes[0]?.episode_index], name).toEqual([1, 1]);
		const sorted = await lake.localExplore(localExploreRequest.parse({sort: {by: name}}));
		expect(
			sorted.episodes.map(({episode_index}) => episode_index),
			name,
		).toEqual([1, 0]);
		const counted = await lake.histogram(histogramRequest.parse({of: {field: name}}));
		expect(counted, name).toMatchObject({count: 2, missing: 0, min: low, max: high});
	}
}, 300_000);

test.each(metricNames)('%s is a word of the filter language, offered with what it means', name => {
	const read = parse(`${name}>=2`);
	expect(read).toMatchObject({ok: true, filter: {numeric: [{field: name, op: 'gte', value: 2}]}});
	if (read.ok) expect(print(read.filter)).toBe(`${name}>=2`);
	const {candidates} = complete(name, name.length - 1, {values: {}, channels: []});
	const {meaning} = metricOf(name) ?? {};
	expect(meaning).toMatch(/\w/);
	expect(candidates.find(({label}) => label === name)?.what).toContain(meaning);
});

test.each(metricNames)('the table can show %s, and a selection can be thinned by it', name => {
	expect(knownColumns.filter(({id}) => id === name)).toHaveLength(1);
	expect(columnOf(name)).toMatchObject({label: metricOf(name)?.label, width: expect.any(Number)});
	expect(columnOf(name).label.length).toBeLessThanOrEqual(columnOf(name).width);
	expect(readThinning(`top 3 a task by ${name}`)).toMatchObject({
		thinning: {sort: {by: name, direction: 'desc'}},
	});
});

test('the detail, the plot of metrics and the CSV have every metric of an episode', async () => {
	const [shown] = (await (await measuredLake()).localExplore(localExploreRequest.parse({}))).episodes;
	if (!shown) throw new Error('The lake has no episode.');
	const sections = episodeSections(shown, {isMeasuredHere: true}, screen);
	const fields = sections.find(({title}) => title === 'Metrics')?.fields ?? [];
	expect(fields.map(({label}) => label).slice(0, heldMetrics.length)).toEqual(heldMetrics);
	const values = new Map(fields.map(({label, value}) => [label, value]));
	for (const name of heldMetrics) expect(values.get(name)).toMatch(/^\d/);
	expect(values.get('sync_skew_max_ms')).toMatch(/^\d+ ms$/);
	expect(values.get(added)).toMatch(/^\d+ slips$/);
	expect(figuresOf(shown)).toEqual(metricNames);
	for (const name of heldMetrics) expect(csvColumns).toContain(name);
}, 300_000);

test('/openapi.json names every metric that requests may name, and says what it means', () => {
	for (const body of [localTriageEndpoints.localExplore.body, histogramRequest]) {
		const text = JSON.stringify(jsonSchema(body));
		for (const name of metricNames) {
			expect(text).toContain(`"${name}"`);
			expect(text).toContain(`${name}: ${metricWords(metricOf(name) ?? {name, label: '', meaning: '-'})}.`);
		}
	}
});

test('the interface’s own request keeps its fields: a metric of ours asks for an ability of the service', () => {
	for (const name of numericFields) {
		expect(exploreRequest.safeParse(atLeast(name, 1)).success).toBe(true);
		expect(abilitiesFor(atLeast(name, 1))).toEqual([]);
	}
	expect(exploreRequest.safeParse(atLeast(added, 1)).success).toBe(false);
	expect(localExploreRequest.safeParse(atLeast(added, 1)).success).toBe(true);
	expect(abilitiesFor(atLeast(added, 1)).map(({ability}) => ability)).toEqual(metricAbilities);
});
