import {expect, test} from 'vitest';
import {tableColumns, tableRow} from '../../source/commands/episode-columns.ts';
import {createScreen} from '../../source/components/screen.tsx';
import {signsFor} from '../../source/components/signs.ts';
import {columnOf} from '../../source/panes/episodes/columns.ts';

const screen = createScreen({colour: false, attributes: false, ascii: true}, signsFor({unicode: false}));

test.each([
	[0.9172, '.92'],
	[0.796, '.79'],
	[0.8964, '.89'],
	[0.999, '.99'],
	[1, '1.0'],
])('a score of %d is %s on the command line as in the explorer', (quality_score, shown) => {
	const episode = {
		episode_id: '',
		dataset_id: '',
		dataset_name: '',
		episode_index: 0,
		frame_count: 1,
		duration_seconds: 1,
		review_state: '',
		quality_score,
	};
	const place = tableColumns.findIndex(({title}) => title === 'Q');
	expect([tableRow(episode)[place], columnOf('quality_score').cell(episode, screen).text]).toEqual([
		shown,
		shown,
	]);
});
