import {defineConfig} from 'vitest/config';

/** The tests of the ClickHouse lake: run by `npm run test:clickhouse`, which installs what they need first. */
export default defineConfig({
	test: {
		include: ['test/clickhouse/**/*.test.ts'],
		testTimeout: 600_000,
		hookTimeout: 600_000,
		pool: 'forks',
		// The engine binds one folder of data a process, and takes what memory it finds.
		maxWorkers: 1,
	},
});
