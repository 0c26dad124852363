import {defineConfig} from 'vitest/config';
import {inkTableAsAModule} from './build/ink-table-as-a-module.ts';

export default defineConfig({
	plugins: [inkTableAsAModule],
	test: {
		server: {deps: {inline: ['ink-table']}},
		include: ['test/**/*.test.{ts,tsx}'],
		globalSetup: ['test/support/built-program.ts'],
		reporters: ['default', './test/support/closing-line-reporter.ts'],
		testTimeout: 180_000,
		hookTimeout: 180_000,
		// What is waited for comes as soon as the machine gets to it; a loaded one may take its time.
		expect: {poll: {timeout: 50_000}},
		pool: 'forks',
		maxWorkers: 2,
	},
});
