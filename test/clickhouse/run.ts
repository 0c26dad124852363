import {spawnSync} from 'node:child_process';
import path from 'node:path';

/*
 * `npm run test:clickhouse`: installs the engine of ClickHouse as a library (some 550 MB, in a folder of its own) and runs
 * the tests of the ClickHouse lake over it. Arguments go to vitest.
 */

const here = import.meta.dirname;
const root = path.resolve(here, '../..');

function run(command: string, args: readonly string[], folder: string): number {
	return spawnSync(command, args, {cwd: folder, stdio: 'inherit'}).status ?? 1;
}

if (process.platform === 'linux' && process.arch !== 'x64') {
	process.stdout.write(
		`The tests of the ClickHouse lake are skipped: chdb has no engine for ${process.arch}.\n`,
	);
} else {
	// Not `npm ci`, which refuses a lock file without the platforms that chdb names and does not publish.
	const installed = run('npm', ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'], here);
	if (installed !== 0) {
		process.stdout.write(
			'The tests of the ClickHouse lake are skipped: chdb, the engine as a library, could not be installed.\n',
		);
	} else {
		process.exitCode = run(
			process.execPath,
			[
				'node_modules/vitest/vitest.mjs',
				'run',
				'--config',
				'test/clickhouse/vitest.config.ts',
				...process.argv.slice(2),
			],
			root,
		);
	}
}
