import {describe, expect, test} from 'vitest';
import {createDecoder} from '../../../source/terminal/decoder.ts';
import {
	chooseWay,
	type PictureAnswers,
	type Surroundings,
	type TmuxAnswers,
} from '../../../source/terminal/pictures/picture-protocol.ts';
import {pictureQuestions} from '../../../source/terminal/pictures/picture-questions.ts';
import {createQuestions} from '../../../source/terminal/questions.ts';

/** What a terminal's replies come to. */
function heard(replies: string, screen = {width: 80, height: 24}): PictureAnswers {
	let answers: PictureAnswers | undefined;
	const questions = createQuestions({send: () => undefined, withinMs: 60_000});
	questions.ask(
		pictureQuestions({screen, isDirect: true}, given => {
			answers = given;
		}),
	);
	for (const event of createDecoder().push(Buffer.from(`${replies}\u001b[?62;22c`))) {
		if (event.type === 'reply') questions.hear(event);
	}
	if (answers === undefined) throw new Error('not answered');
	return {...answers, milliseconds: 5};
}

const kitty = '\u001b_Gi=1;OK\u001b\\';
const cell = '\u001b[6;20;10t';
const name = (text: string) => `\u001bP>|${text}\u001b\\`;
const sixel = '\u001b[?62;4;22c';
const iterm2 = '\u001b]1337;ReportCellSize=17.5;8.0;2.0\u001b\\';

const around: Surroundings = {
	choice: 'auto',
	multiplexer: 'none',
	isRemote: false,
	program: undefined,
	tmux: undefined,
};

describe('the way that the terminal can', () => {
	test.each([
		['kitty', kitty + name('kitty(0.40.0)') + cell, 'kitty'],
		['Ghostty', kitty + name('ghostty 1.1.0') + cell, 'kitty'],
		['one that knows the protocol and refuses', '\u001b_Gi=1;ENOTSUPPORTED:no\u001b\\', 'blocks'],
		['iTerm2, though it answers as kitty does', kitty + name('iTerm2 3.6.0') + sixel, 'iterm2'],
		['WezTerm', kitty + name('WezTerm 20240203') + cell, 'iterm2'],
		['an iTerm2 that does not say its name', iterm2, 'iterm2'],
		['one that has ReportCellSize and another name', iterm2 + name('Other(1)') + kitty, 'kitty'],
		['xterm with sixel', name('XTerm(390)') + cell + sixel, 'sixel'],
		['sixel in cells of an unknown size', sixel, 'blocks'],
		['sixel in a window of a known size', `\u001b[4;480;800t${sixel}`, 'sixel'],
		['40 is not 4', `${cell}\u001b[?62;40;14c`, 'blocks'],
		['none of them', name('Other(1)') + cell, 'blocks'],
	])('%s', (_, replies, kind) => {
		expect(chooseWay(heard(replies), around)).toMatchObject({kind});
	});

	test('the environment is believed where the terminal bears it out', () => {
		const said = {...around, program: 'WarpTerminal'};
		expect(chooseWay(heard(kitty), said)).toMatchObject({kind: 'iterm2'});
		// Through mosh.
		expect(chooseWay(heard(''), {...said, program: 'iTerm2'})).toEqual({kind: 'blocks', why: undefined});
		expect(chooseWay(heard(kitty + name('kitty(0.40.0)')), said)).toMatchObject({kind: 'kitty'});
	});
});

test('a terminal that neither answers as kitty does nor says its name may have shown the question', () => {
	expect(heard('').isQuestionShown).toBe(true);
	expect(heard(kitty).isQuestionShown).toBe(false);
	expect(heard(name('Other(1)')).isQuestionShown).toBe(false);
});

test('the size of a cell: as told, else the share of the window, else a usual one; never an absurd one', () => {
	const sizeIn = (replies: string) => {
		const way = chooseWay(heard(kitty + replies), around);
		return 'cell' in way ? way.cell : undefined;
	};
	expect(sizeIn(cell)).toEqual({width: 10, height: 20});
	expect(sizeIn('\u001b[4;480;720t')).toEqual({width: 9, height: 20});
	expect(sizeIn('\u001b[6;18;9t\u001b[4;480;800t')).toEqual({width: 9, height: 18});
	expect(sizeIn('\u001b[6;0;0t\u001b[4;0;0t')).toEqual({width: 10, height: 20});
	expect(sizeIn('\u001b[6;20000;10000t')).toEqual({width: 10, height: 20});
});

describe('what lies between', () => {
	const inTmux = (tmux: TmuxAnswers | undefined): Surroundings => ({...around, multiplexer: 'tmux', tmux});
	const shownOn = (passesThrough: boolean, ...names: string[]): TmuxAnswers => ({
		passesThrough,
		terminals: names.map(each => ({name: each, hasSixel: /sixel|foot/.test(each)})),
	});

	test.each<[string, TmuxAnswers | undefined, string, string]>([
		['kitty, passed through', shownOn(true, 'kitty(0.40.0) xterm-kitty'), cell, 'kitty'],
		['kitty, not passed through', shownOn(false, 'kitty(0.40.0) xterm-kitty'), cell, 'blocks'],
		['kitty and another', shownOn(true, 'kitty(0.40.0)', 'XTerm(390)'), cell, 'blocks'],
		['iTerm2', shownOn(true, 'iTerm2 3.5.0'), cell, 'blocks'],
		['sixel on both sides', shownOn(false, 'foot(1.20)'), cell + sixel, 'sixel'],
		['sixel in tmux alone', shownOn(false, 'XTerm(390)'), cell + sixel, 'blocks'],
		['no tmux to ask', undefined, cell + sixel, 'blocks'],
		['tmux without a terminal', shownOn(true), cell + sixel, 'blocks'],
	])('tmux: %s', (_, tmux, replies, kind) => {
		expect(chooseWay(heard(replies), inTmux(tmux))).toMatchObject({kind});
	});

	test('that kitty would do with another setting of tmux is said', () => {
		const way = chooseWay(heard(cell), inTmux(shownOn(false, 'ghostty 1.1')));
		expect(way).toMatchObject({why: expect.stringContaining('allow-passthrough on')});
	});

	test('screen passes none on', () => {
		expect(chooseWay(heard(kitty), {...around, multiplexer: 'screen'})).toMatchObject({kind: 'blocks'});
	});

	test('over a slow link half blocks, with the figure, unless pixels were asked for; over a quick one less at once', () => {
		const remote = {...around, isRemote: true};
		const slow = {...heard(kitty + cell), milliseconds: 240.4};
		expect(chooseWay(slow, remote)).toEqual({
			kind: 'blocks',
			why: 'an answer takes 240 ms over this link, pixels want 150',
		});
		expect(chooseWay(slow, {...remote, choice: 'kitty'})).toMatchObject({kind: 'kitty'});
		expect(chooseWay(slow, around)).toMatchObject({kind: 'kitty', mostCharacters: 524_288});
		expect(chooseWay(heard(kitty), remote)).toMatchObject({kind: 'kitty', mostCharacters: 131_072});
	});
});

describe('what is wanted goes before what is told', () => {
	test.each(['kitty', 'iterm2', 'sixel', 'blocks', 'off'] as const)('%s', choice => {
		expect(chooseWay(heard(''), {...around, choice})).toMatchObject({kind: choice});
	});

	test.each([
		['kitty', 'kitty'],
		['sixel', 'sixel'],
		['iterm2', 'blocks'],
	] as const)('%s in tmux: %s', (choice, kind) => {
		expect(chooseWay(heard(''), {...around, choice, multiplexer: 'tmux'})).toMatchObject({kind});
	});
});
