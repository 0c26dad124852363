import {expect, test} from 'vitest';
import * as vocabulary from '../../source/contract/vocabulary.ts';

/** Word lists that nothing refuses by, since responses hold them, but that views and commands go by. */
test.each<[string, readonly string[], string]>([
	['2.1 tier', vocabulary.tiers, 'retrainable analyze_only'],
	['2.1 review_state', vocabulary.reviewStates, 'unreviewed auto_accepted human_audited rejected'],
	['2.2 stream', vocabulary.streams, 'action state telemetry'],
	['2.2 agg', vocabulary.aggregates, 'max min mean std'],
	['2.2 op', vocabulary.comparisons, 'gt lt gte lte'],
	['2.8 phase', vocabulary.syncPhases, 'queued preparing publishing finalized failed'],
	['2.9 status', vocabulary.jobStatuses, 'queued running completed failed cancelled'],
])('%s: the words of the document, in its order', (_field, words, documented) => {
	expect(words).toEqual(documented.split(' '));
});
