import {DuckDbLake} from '../../../../source/service/lake/duckdb/duckdb-lake.ts';
import {engineConformance} from '../conformance/engine-conformance.ts';

engineConformance(folder => DuckDbLake.open(folder));
