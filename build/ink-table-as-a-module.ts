import {readFile} from 'node:fs/promises';

/**
 * ink-table as an ES module. It is CommonJS and requires Ink, whose modules wait for Yoga as they load: what waits cannot be
 * required. Imported, as modules do, it may wait. For rolldown, and for vitest, which has to be told to load ink-table
 * through it (`server.deps.inline`).
 */
export const inkTableAsAModule = {
	name: 'ink-table-as-a-module',
	load: {
		filter: {id: /[\\/]ink-table[\\/]dist[\\/]index\.js(?:\?|$)/},
		async handler(id: string): Promise<string> {
			const [file = ''] = id.split('?');
			return [
				"import * as ink from 'ink';",
				"import react from 'react';",
				"import hash from 'object-hash';",
				"const exports = {}, required = {ink, react, 'object-hash': hash}, require = name => required[name];",
				await readFile(file, 'utf8'),
				'export default exports;',
			].join('\n');
		},
	},
};
