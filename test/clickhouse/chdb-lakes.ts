import {createHash} from 'node:crypto';
import {mkdtempSync} from 'node:fs';
import {rm} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {type ClickHouseClient, createClient} from '@clickhouse/client';
import {afterAll} from 'vitest';
import {ClickHouseLake} from '../../source/service/lake/clickhouse/clickhouse-lake.ts';
import {clientOptions} from '../../source/service/lake/clickhouse/server.ts';
import type {OpenLake} from '../service/lake/test-lake.ts';

type Connection = NonNullable<NonNullable<Parameters<typeof createClient>[0]>['connection']>;

/** Of the package that is installed here alone; the project's own types do not know it. */
const {createChdbConnection} = createRequire(import.meta.url)('chdb/connection') as {
	createChdbConnection: (options: {path: string}) => Connection;
};

/** Databases of ClickHouse's engine in this process, in a folder that is removed after the tests of a file. */
export function chdbLakes() {
	const data = mkdtempSync(path.join(tmpdir(), 'lakescope-chdb-'));
	afterAll(() => rm(data, {recursive: true, force: true}));
	const clientOf = (): ClickHouseClient =>
		createClient({...clientOptions, connection: createChdbConnection({path: data})});

	/** A client whose statements are about a database of the lake of that folder. */
	async function clientFor(folder: string): Promise<ClickHouseClient> {
		const database = `lake_${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`;
		const client = clientOf();
		await client.command({query: `CREATE DATABASE IF NOT EXISTS ${database}`});
		await client.command({query: `USE ${database}`});
		return client;
	}

	const open: OpenLake = async folder =>
		await ClickHouseLake.open(await clientFor(folder), 'The lake clickhouse://chdb', folder);
	return {open, clientFor};
}
