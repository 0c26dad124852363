import {expect, test} from 'vitest';
import {
	caveatOf,
	copiedWords,
	descriptionOf,
	exportForms,
} from '../../../source/panes/export/export-forms.ts';
import type {TrainerKnowledge} from '../../../source/store/export/lerobot-lines.ts';

const form = (label: string) => exportForms.find(each => each.label === label) ?? {label, description: ''};
const lacks: TrainerKnowledge = {kind: 'lacks', message: 'The trainer on this machine does not know it.'};

test('the exclude list is offered where the trainer knows the option, and the list of the others otherwise', () => {
	const exclude = form('exclude');
	expect(descriptionOf(exclude, undefined)).toBe('--dataset.exclude_episodes, if the trainer supports it');
	expect(descriptionOf(exclude, {kind: 'asking'})).toContain('checking the local trainer');
	expect(descriptionOf(exclude, {kind: 'knows', message: ''})).toContain('supported by the local trainer');
	expect(descriptionOf(exclude, lacks)).toContain('the others by --dataset.episodes');
	expect(descriptionOf(form('CSV'), lacks)).toBe(form('CSV').description);
});

test('the exclude list warns that the statistics keep all episodes, and names the alternative', () => {
	const caveat = caveatOf(form('exclude'));
	expect(caveat?.text).toContain('statistics, which still include the excluded episodes');
	expect(caveat?.way.action).toBe('selection.compose');
	expect(caveatOf(form('delete'))).toBeUndefined();
});

test('the message names what was copied: episodes, or a command about them', () => {
	const words = (label: string) => copiedWords(form(label), 'the selection');
	expect(words('CSV')).toBe('the selection as CSV');
	expect(words('rejected')).toBe('the command that deletes the rejected of the selection');
	expect(words('exclude')).toBe('the option that excludes the selection from training');
	const commands = exportForms.filter(({episodes}) => episodes === undefined);
	expect(commands.filter(({copied}) => copied === undefined)).toEqual([]);
});
