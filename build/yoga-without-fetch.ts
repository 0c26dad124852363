import {readFile} from 'node:fs/promises';
import type {Plugin} from 'esbuild';

/**
 * Yoga, which lays Ink's boxes out, reads its WebAssembly out of a data: address with `fetch` where there is one. The
 * first use of Node's costs some 20 ms and 10 MB; without it Yoga decodes the same bytes itself.
 */
export const yogaWithoutFetch: Plugin = {
	name: 'yoga-without-fetch',
	setup({onLoad}) {
		onLoad({filter: /yoga-wasm-base64-esm\.js$/}, async ({path}) => ({
			contents: `const fetch = undefined;\n${await readFile(path, 'utf8')}`,
			loader: 'js',
		}));
	},
};
