import {readFile} from 'node:fs/promises';
import type {Plugin} from 'rolldown';

/** The quantizer that sixel brings assigns to a name that it never declares, which a module may not. */
export const sixelInAModule: Plugin = {
	name: 'sixel-in-a-module',
	load: {
		filter: {id: /[\\/]sixel[\\/]upng\.js$/},
		handler: async file => `var UPNG;\n${await readFile(file, 'utf8')}`,
	},
};
