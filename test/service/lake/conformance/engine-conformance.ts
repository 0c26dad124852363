import {describe} from 'vitest';
import {times} from '../../../faults/support/soak.ts';
import {type OpenLake, testLakes} from '../test-lake.ts';
import {concurrencyConformance} from './concurrency.ts';
import {datasetListConformance} from './dataset-list.ts';
import {exploreConformance} from './explore.ts';
import {explorePropertyConformance} from './explore-property.ts';
import {histogramConformance} from './histogram.ts';
import {hostileTextConformance} from './hostile-text.ts';
import {localExploreConformance} from './local-explore.ts';
import {lookupConformance} from './lookups.ts';
import {publishConformance} from './publish.ts';

const groups = {
	explore: exploreConformance,
	'explore in any order, with tags': localExploreConformance,
	'histograms and channels': histogramConformance,
	'the dataset listing': datasetListConformance,
	'single datasets and episodes': lookupConformance,
	'text of any kind': hostileTextConformance,
	'publications and removals': publishConformance,
	'reading during publications': concurrencyConformance,
};

/**
 * Registers the tests that every engine of the lake must pass. A new engine has a test file that calls this.
 *
 * @param anyLakes how many lakes are asked beside a naive model, 30 questions each
 */
export function engineConformance(openLake: OpenLake, anyLakes = times(8, 60)): void {
	const lakes = testLakes(openLake);
	describe('explore, beside a naive model', () => explorePropertyConformance(lakes, anyLakes));
	for (const [name, tests] of Object.entries(groups)) describe(name, () => tests(lakes));
}
