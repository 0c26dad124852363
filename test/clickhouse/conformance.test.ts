import {engineConformance} from '../service/lake/conformance/engine-conformance.ts';
import {chdbLakes} from './chdb-lakes.ts';

// 34 lakes are 1,020 questions.
engineConformance(chdbLakes().open, 34);
