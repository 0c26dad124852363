import {readFile} from 'node:fs/promises';
import type {Plugin} from 'rolldown';

/**
 * Yoga, which lays Ink's boxes out, reads its WebAssembly out of a data: address with `fetch` where there is one. The
 * first use of Node's costs some 20 ms and 10 MB; without it Yoga decodes the same bytes itself.
 */
export const yogaWithoutFetch: Plugin = {
	name: 'yoga-without-fetch',
	load: {
		filter: {id: /yoga-wasm-base64-esm\.js$/},
		handler: async file => `const fetch = undefined;\n${await readFile(file, 'utf8')}`,
	},
};
