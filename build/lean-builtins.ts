import type {Plugin} from 'rolldown';

/** Prefix of virtual modules: no file has such a name. */
const virtual = '\0lean:';

/**
 * What a module exports without its lazy exports: those must be asked of the module itself. An import
 * of one by name does not build.
 */
function leanExports(name: string): string {
	const builtin = process.getBuiltinModule(name) as object;
	const exports = Object.entries(Object.getOwnPropertyDescriptors(builtin)).flatMap(([key, {get}]) =>
		/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(key) && key !== 'default' && get === undefined ? [key] : [],
	);
	const own = `const all = process.getBuiltinModule('${name}');\nexport default all;\n`;
	return `${own}export const {${exports.join(', ')}} = all;`;
}

/** No server of ours speaks HTTP/2, and no client: nothing is ever one of its requests, nor looks at its constants. */
const withoutHttp2 = 'export const constants = {};';

/** Built-in modules among whose exports are lazy ones. */
const lazy = /^(?:node:)?(?:crypto|fs|http2?|net|process|stream|timers|util)$/;

/**
 * Node's own modules without what a start of ours never uses. An ESM import of one reads every export once, and some
 * are lazy for a reason: with Node 24's `node:http` comes a whole undici (WebSocket; 15 ms of every start), with
 * `node:process`, `node:fs` and `node:util` 1 to 4 ms each. undici requires `node:http2` though it is told not to use it,
 * which is another 15 ms.
 */
export const leanBuiltins: Plugin = {
	name: 'lean-builtins',
	resolveId: {
		filter: {id: lazy},
		handler(id, _importer, {kind}) {
			const name = id.startsWith('node:') ? id : `node:${id}`;
			return kind === 'import-statement' || name === 'node:http2' ? virtual + name : null;
		},
	},
	load: {
		filter: {id: new RegExp(`^${virtual}`)},
		handler(id) {
			const name = id.slice(virtual.length);
			return name === 'node:http2' ? withoutHttp2 : leanExports(name);
		},
	},
};
