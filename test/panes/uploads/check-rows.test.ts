import {expect, test} from 'vitest';
import {createScreen} from '../../../source/components/screen.tsx';
import {renderLine} from '../../../source/components/segment.ts';
import {signsFor} from '../../../source/components/signs.ts';
import {checkRows} from '../../../source/panes/uploads/check-rows.ts';
import {soundCheck} from '../../support/upload-check.ts';

const drawing = {colour: false, attributes: false, ascii: false};
const screen = createScreen(drawing, signsFor({unicode: true}));

function drawn(unseenLake: string | undefined): readonly string[] {
	const rows = checkRows(soundCheck, {width: 78, look: undefined, unseenLake, screen});
	return rows.map(({segments}) => renderLine(segments, 78, drawing).trim());
}

test('before a dataset is sent to another lake than the one shown, that lake is named', () => {
	const shown = drawn(undefined);
	expect(drawn('~/lake')).toEqual([...shown, 'It goes into your own lake, ~/lake, not into the sample.']);
});
