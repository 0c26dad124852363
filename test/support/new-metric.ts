import type {Metric} from '../../source/contract/metrics.ts';

export type MetricTable = typeof import('../../source/contract/metrics.ts');

/**
 * The table of metrics with one more, as it is after someone added an entry: what a test puts in the table's place. Its
 * name is not among the types, as in a lake or a request that a later version wrote.
 */
export function withNewMetric(table: MetricTable, name: string): MetricTable {
	const added = {
		name,
		label: 'slips',
		meaning: 'times the grip slipped',
		unit: 'slips',
		better: 'up',
	} as unknown as Metric;
	return {
		...table,
		metrics: [...table.metrics, added],
		metricNames: [...table.metricNames, added.name],
		heldMetrics: [...table.heldMetrics, added.name],
		ownMetrics: [...table.ownMetrics, added],
		metricOf: asked => (asked === name ? added : table.metricOf(asked)),
		isMetricName: (asked): asked is Metric['name'] => asked === name || table.isMetricName(asked),
	};
}
