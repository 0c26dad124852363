import {registerHooks} from 'node:module';

/** Tells every module that importing the front door loads. */
const loaded: string[] = [];
registerHooks({
	load(url, context, nextLoad) {
		loaded.push(url);
		return nextLoad(url, context);
	},
});
await import('../../../source/service/front-door.ts');
process.send?.(loaded);
process.disconnect();
