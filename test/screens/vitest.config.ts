import {defineConfig} from 'vitest/config';

/** `npm run screens`: no test, but a script that drives the program as the tests do. */
export default defineConfig({
	test: {
		root: process.cwd(),
		include: ['test/screens/take-screens.ts'],
		globalSetup: ['test/support/built-program.ts'],
		testTimeout: 600_000,
		hookTimeout: 120_000,
	},
});
