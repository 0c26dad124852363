import {defineConfig} from 'vitest/config';

export default defineConfig({
	test: {
		include: ['test/**/*.test.{ts,tsx}'],
		globalSetup: ['test/support/built-program.ts'],
		reporters: ['default', './test/support/closing-line-reporter.ts'],
		testTimeout: 60_000,
		hookTimeout: 120_000,
		pool: 'forks',
		maxWorkers: 2,
	},
});
