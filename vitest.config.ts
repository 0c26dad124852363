import {defineConfig} from 'vitest/config';

export default defineConfig({
	test: {
		include: ['test/**/*.test.{ts,tsx}'],
		globalSetup: ['test/support/built-program.ts'],
		reporters: ['default', './test/support/closing-line-reporter.ts'],
		testTimeout: 60_000,
		hookTimeout: 120_000,
		// What is waited for comes as soon as the machine gets to it; a loaded one may take its time.
		expect: {poll: {timeout: 20_000}},
		pool: 'forks',
		maxWorkers: 2,
	},
});
