import {expect, test} from 'vitest';
import {createScreen} from '../../../source/components/screen.tsx';
import {lineWidth, renderLine} from '../../../source/components/segment.ts';
import {signsFor} from '../../../source/components/signs.ts';
import {columnOf} from '../../../source/panes/episodes/columns.ts';
import {episodeHead} from '../../../source/panes/episodes/episode-row.ts';
import {textWidth} from '../../../source/terminal/width.ts';

const drawing = {colour: false, attributes: false, ascii: false};
const screen = createScreen(drawing, signsFor({unicode: true}));

function head(ids: readonly string[], width: number): string {
	const columns = ids.map(id => ({column: columnOf(id), width: 8}));
	const segments = episodeHead(columns, {width, gap: 1, hidden: 0, focused: false, screen});
	expect(lineWidth(segments)).toBe(width);
	return renderLine(segments, width, drawing);
}

test('titles stand over their columns whatever the metric’s name', () => {
	const first = head(['speed', 'sparc'], 30);
	for (const name of ['速度', '平均速度の値です', 'a\u001b[31mb', '\u202eabc', 'e\u0301te\u0301']) {
		const line = head([name, 'sparc'], 30);
		expect(textWidth(line.slice(0, line.indexOf('sparc')))).toBe(first.indexOf('sparc'));
	}
});

test('a title that has no room for its last name is as wide as the pane', () => {
	for (let width = 1; width < 20; width++) head(['平均速度の値です', 'sparc'], width);
});
