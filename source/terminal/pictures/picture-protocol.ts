import {execFile} from 'node:child_process';

/** A number of pixels each way, or of cells. */
export type Extent = {readonly width: number; readonly height: number};

/** How pictures are shown. */
export type PictureWay =
	| {
			readonly kind: 'kitty' | 'iterm2' | 'sixel';
			/** A cell in pixels. */
			readonly cell: Extent;
			/** The bound of one picture, in characters. */
			readonly mostCharacters: number;
	  }
	| {
			readonly kind: 'blocks';
			/** The reason why there are no pixels where users may expect them. */
			readonly why?: string | undefined;
	  }
	| {readonly kind: 'off'};

/** The terminal's answers, as far as it gave them. */
export type PictureAnswers = {
	/** It answered at all. */
	readonly isAnswered: boolean;
	/** From the question to the first answer. */
	readonly milliseconds: number;
	/** Its name (XTVERSION). */
	readonly name: string | undefined;
	readonly kitty: boolean;
	/** It has told the size of its cells in the way that is iTerm2's own. */
	readonly iterm2: boolean;
	readonly sixel: boolean;
	readonly cell: Extent | undefined;
	/** A terminal that knows less than it should may have shown the question as text. */
	readonly isQuestionShown: boolean;
};

/** The answers of tmux about itself and the terminals that it is shown on. */
export type TmuxAnswers = {
	readonly passesThrough: boolean;
	readonly terminals: readonly {
		/** Its name, as tmux asked it and by its TERM. */
		readonly name: string;
		readonly hasSixel: boolean;
	}[];
};

export type Surroundings = {
	readonly choice: PictureChoice;
	readonly multiplexer: 'none' | 'tmux' | 'screen';
	readonly isRemote: boolean;
	/** The terminal's name in the environment, if any. */
	readonly program: string | undefined;
	/** Undefined outside of tmux, and where it tells nothing. */
	readonly tmux: TmuxAnswers | undefined;
};

/** A slower link than this, there and back, gets no pictures in pixels by itself: they would hold up the keys. */
const slowLinkMs = 150;

/** A whole screen of pictures is a few of these. */
const mostCharacters = {here: 512 * 1024, remote: 128 * 1024};

/** Where the terminal does not tell; kitty and iTerm2 scale a picture to its cells themselves. */
const usualCell: Extent = {width: 10, height: 20};

/**
 * These understand iTerm2's pictures, and of kitty's less than they say: WezTerm draws them below text, Warp knows a
 * part of them (as ink-picture found), iTerm2 has them since recently.
 */
const asITerm2 = /^(?:iTerm|WezTerm|Warp)/i;

/** These show a picture in place of text of its own (kitty's Unicode placeholders), which tmux can move and clear. */
const withPlaceholders = /kitty|ghostty/i;

/** Decides how pictures are shown, by what is wanted and by what the terminal and what lies between told. */
export function chooseWay(answers: PictureAnswers, around: Surroundings): PictureWay {
	const {choice, multiplexer, isRemote} = around;
	if (choice === 'off' || choice === 'blocks') return {kind: choice};
	if (multiplexer === 'screen') return blocks(choice, 'screen does not pass pictures on');
	const kind = multiplexer === 'tmux' ? insideTmux(answers, around) : outside(answers, around);
	if (typeof kind === 'object') return kind;
	if (choice === 'auto' && isRemote && answers.milliseconds > slowLinkMs) {
		const taken = Math.round(answers.milliseconds);
		return {kind: 'blocks', why: `an answer takes ${taken} ms over this link, pixels want ${slowLinkMs}`};
	}
	return {
		kind,
		cell: answers.cell ?? usualCell,
		mostCharacters: isRemote ? mostCharacters.remote : mostCharacters.here,
	};
}

type Kind = Exclude<PictureWay['kind'], 'blocks' | 'off'> | PictureWay;

function outside(
	{name, kitty, iterm2, sixel, cell, isAnswered}: PictureAnswers,
	{choice, program}: Surroundings,
): Kind {
	if (choice === 'kitty' || choice === 'iterm2' || choice === 'sixel') return choice;
	// The environment outlives what lies between, mosh for one, which passes no picture on and has no answer.
	const isSaid = asITerm2.test(name ?? program ?? '') && (name !== undefined || kitty || sixel);
	if (isSaid || (iterm2 && name === undefined)) return 'iterm2';
	if (kitty) return 'kitty';
	// A picture in sixel is as large as it is, so the size of a cell has to be known.
	if (sixel && cell !== undefined) return 'sixel';
	return {kind: 'blocks', why: isAnswered ? undefined : 'the terminal did not report its abilities'};
}

function insideTmux({sixel, cell}: PictureAnswers, {choice, tmux}: Surroundings): Kind {
	if (choice === 'kitty' || choice === 'sixel') return choice;
	if (choice === 'iterm2') return blocks(choice, 'tmux cannot clear pictures of iTerm2');
	const terminals = tmux?.terminals ?? [];
	if (tmux === undefined || terminals.length === 0) return {kind: 'blocks'};
	if (terminals.every(({name}) => withPlaceholders.test(name))) {
		if (tmux.passesThrough) return 'kitty';
		return {kind: 'blocks', why: 'tmux passes pictures on after: tmux set -g allow-passthrough on'};
	}
	// tmux says that it knows sixel whether the terminal does or not, and writes words in place of the picture then.
	const isSixel = sixel && cell !== undefined && terminals.every(({hasSixel}) => hasSixel);
	return isSixel ? 'sixel' : {kind: 'blocks'};
}

/** The choice cannot be had; for `auto` that is no news. */
function blocks(choice: PictureChoice, why: string): PictureWay {
	return {kind: 'blocks', why: choice === 'auto' ? undefined : why};
}

/** The choices for pictures; `auto` is the best that the terminal can do. */
const choices = ['auto', 'kitty', 'iterm2', 'sixel', 'blocks', 'off'] as const;

export type PictureChoice = (typeof choices)[number];

/** The choice of that name, undefined for a name that none has. */
export function pictureChoice(name: string): PictureChoice | undefined {
	return choices.find(choice => choice === name);
}

/** tmux is slow to answer only where its server hangs. */
const withinMs = 1000;

const told = '#{client_termtype} #{client_termname}\t#{client_termfeatures}';

/**
 * Asks the tmux that this runs in, by its own command, what its terminals would answer through it: whether it passes
 * sequences on here, and on which terminals it is shown.
 *
 * @param pane what tmux calls the pane (`TMUX_PANE`).
 * @returns undefined where it tells nothing: on another machine, or before 3.3, which knows no such setting.
 */
export function askTmux(pane: string): Promise<TmuxAnswers | undefined> {
	const option = ['show-options', '-Apv', '-t', pane, 'allow-passthrough'];
	const clients = ['list-clients', '-t', pane, '-F', told];
	return new Promise(resolve => {
		execFile('tmux', [...option, ';', ...clients], {timeout: withinMs}, (error, stdout) => {
			resolve(error === null ? readAnswer(stdout) : undefined);
		});
	});
}

function readAnswer(text: string): TmuxAnswers {
	const [setting = '', ...lines] = text.split('\n');
	const terminals = lines
		.filter(line => line !== '')
		.map(line => {
			const [name = '', features = ''] = line.split('\t');
			return {name, hasSixel: features.split(',').includes('sixel')};
		});
	return {passesThrough: setting === 'on' || setting === 'all', terminals};
}
