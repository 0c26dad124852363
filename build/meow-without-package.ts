import type {Plugin} from 'rolldown';

const replaced: readonly (readonly [file: RegExp, from: string, to: string])[] = [
	[
		/options\.js$/,
		"import { a as readPackageUpSync, n as normalizePackageData } from './dependencies.js';",
		'const readPackageUpSync = () => undefined;\nconst normalizePackageData = () => undefined;',
	],
	[/dependencies\.js$/, 'var libExports = requireLib$1();', 'var libExports = {};'],
	[
		/dependencies\.js$/,
		'const normalizePackageData = getDefaultExportFromCjs(normalizeExports);',
		'const normalizePackageData = undefined;',
	],
	[/dependencies\.js$/, 'var normalizeExports = requireNormalize();', ''],
	// Loads a module of Node's that no start needs.
	[
		/dependencies\.js$/,
		"import { execFile } from 'node:child_process';",
		'const execFile = () => undefined;',
	],
	// A title would take the place of the arguments that `ps` shows.
	[/index\.js$/, 'process.title = getProcessTitle(parsedOptions.pkg);', ''],
];

/**
 * meow without its lookup of a package.json, whose libraries (semver, spdx, hosted-git-info) are evaluated as they are
 * imported, though meow is told the package: most of its code.
 */
export const meowWithoutPackage: Plugin = {
	name: 'meow-without-package',
	transform: {
		filter: {id: /node_modules\/meow\/build\/(?:options|index|dependencies)\.js$/},
		handler(code, id) {
			let lean = code;
			for (const [file, from, to] of replaced) {
				if (!file.test(id)) continue;
				if (!lean.includes(from))
					throw new Error(`This meow is another than was expected: ${id} lacks ${from}`);
				lean = lean.replace(from, to);
			}
			return lean;
		},
	},
};
