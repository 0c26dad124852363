import {readFile} from 'node:fs/promises';
import type {Plugin} from 'esbuild';

/** The quantizer that sixel brings assigns to a name that it never declares, which a module may not. */
export const sixelInAModule: Plugin = {
	name: 'sixel-in-a-module',
	setup({onLoad}) {
		onLoad({filter: /[\\/]sixel[\\/]upng\.js$/}, async ({path}) => ({
			contents: `var UPNG;\n${await readFile(path, 'utf8')}`,
			loader: 'js',
		}));
	},
};
