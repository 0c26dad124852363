import {expect, test} from 'vitest';
import {listLayout} from '../../source/views/list-view.tsx';

test.each([
	[80, 22],
	[60, 18],
	[120, 38],
	[200, 48],
	[20, 3],
])('list and detail never leave a body of %i×%i', (width, height) => {
	const {list, detail} = listLayout({width, height}, true);
	const wide = detail?.beside
		? (list?.width ?? 0) + detail.width
		: Math.max(list?.width ?? 0, detail?.width ?? 0);
	const high = detail?.beside ? detail.height : (list?.height ?? 0) + (detail?.height ?? 0);
	expect({wide, high}).toEqual({wide: width, high: height});
});

test('the detail takes the place of the list where there is no room for both', () => {
	expect(listLayout({width: 80, height: 18}, true).list).toBeUndefined();
	expect(listLayout({width: 80, height: 18}, false).detail).toBeUndefined();
});
