import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {exploreLayout, explorePanes} from '../../source/views/explore-layout.ts';

const browse = {focused: 'episodes', zoomed: false} as const;

describe('which panes are on the screen', () => {
	test('80×24 shows one pane at a time, the focused one', () => {
		const body = {width: 80, height: 21};
		for (const focused of explorePanes) {
			expect(Object.keys(exploreLayout(body, {focused, zoomed: false}))).toEqual([focused]);
		}
	});

	test('120×40 shows facets, the table and the detail below it', () => {
		const {facets, episodes, detail} = exploreLayout({width: 120, height: 37}, browse);
		expect(facets).toMatchObject({height: 37});
		expect(detail).toMatchObject({beside: false, width: episodes?.width});
		expect((episodes?.height ?? 0) + (detail?.height ?? 0)).toBe(37);
	});

	test('200×50 shows the detail beside the table', () => {
		expect(exploreLayout({width: 200, height: 47}, browse).detail).toMatchObject({beside: true, height: 47});
	});

	test('a narrow and tall screen stacks table and detail, and shows the facets when they have the keyboard', () => {
		const body = {width: 80, height: 40};
		expect(Object.keys(exploreLayout(body, browse))).toEqual(['episodes', 'detail']);
		expect(Object.keys(exploreLayout(body, {...browse, focused: 'facets'}))).toEqual(['facets']);
	});

	test('zoomed, the focused pane has everything', () => {
		const layout = exploreLayout({width: 200, height: 47}, {focused: 'detail', zoomed: true});
		expect(layout).toEqual({detail: {width: 200, height: 47, beside: false}});
	});
});

test('at any size the focused pane is there, and the panes fill the body and no more', () => {
	fc.assert(
		fc.property(
			fc.integer({min: 20, max: 400}),
			fc.integer({min: 1, max: 150}),
			fc.constantFrom(...explorePanes),
			fc.boolean(),
			(width, height, focused, zoomed) => {
				const layout = exploreLayout({width, height}, {focused, zoomed});
				expect(layout[focused]).toBeDefined();
				const {facets, episodes, detail} = layout;
				const isBelow = detail !== undefined && episodes !== undefined && !detail.beside;
				const widths = isBelow
					? [facets?.width ?? 0, episodes.width]
					: [facets?.width ?? 0, episodes?.width ?? 0, detail?.width ?? 0];
				expect(widths.reduce((sum, each) => sum + each)).toBe(width);
				for (const pane of [facets, episodes, detail]) {
					if (pane === undefined) continue;
					expect(pane.width).toBeGreaterThan(0);
					expect(pane.height).toBeGreaterThan(0);
				}
				const heights = isBelow ? episodes.height + detail.height : (episodes ?? detail ?? facets)?.height;
				expect(heights).toBe(height);
			},
		),
	);
});
