import {expect, test} from 'vitest';
import {forgetRelativePlaces} from '../../source/commands/absolute-places.ts';

test('places that are named by no absolute path are none, and others stay', () => {
	const env = {
		HOME: '',
		XDG_DATA_HOME: 'data',
		XDG_STATE_HOME: '/state',
		XDG_CACHE_HOME: '~/.cache',
		PATH: 'x',
	};
	forgetRelativePlaces(env);
	expect(env).toEqual({XDG_STATE_HOME: '/state', PATH: 'x'});
});
