import {globSync, readFileSync} from 'node:fs';
import {defineConfig} from 'vitest/config';
import {inkTableAsAModule} from './build/ink-table-as-a-module.ts';

/** Where tests are of functions, stores and panes, for the most part. */
const folders = 'client,components,contract,hooks,input,motion,panes,picture,query,store,terminal,views';

/** Of what changes the process it runs in: its modules, time, globals or environment, or what it has opened. */
const ofOneProcess =
	/\bvi\.(mock|doMock|stub|spyOn|useFake|setSystem)|\bprocess\.|performance\.now|child_process|(service|training)-home|new-metric|fake-time|soak|under-way|support\/pty/;

/** Files that share a worker, which evaluates a module once for all of them. */
const sharing = globSync(`test/{${folders}}/**/*.test.{ts,tsx}`, {cwd: import.meta.dirname}).filter(
	file => !ofOneProcess.test(readFileSync(`${import.meta.dirname}/${file}`, 'utf8')),
);

/** Tests that bring packages of their own, or a cluster: `npm run test:clickhouse`, `npm run test:slurm`. */
const ofAPackage = [
	'test/clickhouse/**',
	'**/node_modules/**',
	...(process.env.LAKESCOPE_SLURM ? [] : ['test/slurm/slurm.test.ts']),
];

export default defineConfig({
	plugins: [inkTableAsAModule],
	test: {
		server: {deps: {inline: ['ink-table']}},
		globalSetup: ['test/support/built-program.ts'],
		reporters: ['default', './test/support/closing-line-reporter.ts'],
		testTimeout: 180_000,
		hookTimeout: 180_000,
		// What is waited for comes as soon as the machine gets to it; a loaded one may take its time.
		expect: {poll: {timeout: 50_000}},
		pool: 'forks',
		maxWorkers: 3,
		projects: [
			{
				extends: true,
				test: {name: 'alone', include: ['test/**/*.test.{ts,tsx}'], exclude: [...sharing, ...ofAPackage]},
			},
			{
				extends: true,
				test: {name: 'sharing', include: sharing, isolate: false, globalSetup: []},
			},
		],
	},
});
