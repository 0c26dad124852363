import {expect, test} from 'vitest';
import {tableColumns, tableRow} from '../../../source/commands/print/episode-formats.ts';
import {createScreen} from '../../../source/components/screen.tsx';
import {signsFor} from '../../../source/components/signs.ts';
import {columnOf} from '../../../source/panes/episodes/columns.ts';

const screen = createScreen({colour: false, attributes: false, ascii: true}, signsFor({unicode: false}));

const plain = {
	episode_id: '',
	dataset_id: '',
	dataset_name: '',
	episode_index: 0,
	frame_count: 1,
	duration_seconds: 1,
	review_state: '',
};

test.each([
	[0.9172, '.92'],
	[0.796, '.79'],
	[0.8964, '.89'],
	[0.999, '.99'],
	[1, '1.0'],
])('a score of %d is %s on the command line as in the explorer', (quality_score, shown) => {
	const episode = {...plain, quality_score};
	const place = tableColumns.findIndex(({title}) => title === 'Q');
	expect([tableRow(episode)[place], columnOf('quality_score').cell(episode, screen).text]).toEqual([
		shown,
		shown,
	]);
});

test('what passes by its figures alone is not shown as if somebody had looked at it', () => {
	const place = tableColumns.findIndex(({title}) => title === 'review');
	const shown = (review_state: string) => {
		const episode = {...plain, review_state};
		return [tableRow(episode)[place], columnOf('review').cell(episode, screen).text];
	};
	expect(shown('auto_accepted')).toEqual(['unreviewed, passes', 'unreviewed, passes']);
	expect(shown('unreviewed')).toEqual(['unreviewed', 'unreviewed']);
});
