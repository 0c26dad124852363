import {engineConformance} from '../service/lake/conformance/engine-conformance.ts';
import {chdbLakes} from './chdb-lakes.ts';

engineConformance(chdbLakes().open);
