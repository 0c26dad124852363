import http from 'node:http';
import type {Plugin} from 'esbuild';

/** Lazy exports are getters: they are left to whoever asks the module itself for them. */
const plainExports = Object.entries(Object.getOwnPropertyDescriptors(http)).flatMap(([name, {get}]) =>
	get === undefined ? [name] : [],
);

const modules: Readonly<Record<string, string>> = {
	'node:http': `export const {${plainExports.join(', ')}} = process.getBuiltinModule('node:http');`,
	// No server of ours speaks HTTP/2: nothing is ever one of its requests, nor looks at its constants.
	'node:http2': 'export class Http2ServerRequest {}\nexport const constants = {};',
};

/**
 * Node's own modules without what a start of ours never uses. An ESM import of `node:http` reads every export once, and
 * among Node 24's are lazy ones (WebSocket) that load a whole undici: 15 ms of every start. Hono's adapter imports
 * `node:http2` for one class, which is another 15 ms.
 */
export const leanBuiltins: Plugin = {
	name: 'lean-builtins',
	setup({onResolve, onLoad}) {
		onResolve({filter: /^(?:node:)?http2?$/}, ({path, kind}) => {
			if (kind !== 'import-statement') return undefined;
			return {path: path.startsWith('node:') ? path : `node:${path}`, namespace: 'lean-builtins'};
		});
		onLoad({filter: /.*/, namespace: 'lean-builtins'}, ({path}) => ({
			contents: modules[path] ?? '',
			loader: 'js',
		}));
	},
};
