import {type NumericField, numericFields} from '../../../contract/vocabulary.ts';

/** The fields an episode carries by name in the interface (section 2.1); every other one goes into its `metrics`. */
const named: ReadonlySet<NumericField> = new Set(['duration_s', 'frame_count', 'quality_score']);

/** The numeric fields that are metrics, each a nullable DOUBLE column of the same name, staged and stored. */
export const metricColumns: readonly NumericField[] = numericFields.filter(field => !named.has(field));
