import {graphicRendition} from '../terminal/sequences.ts';

/** The meaning of a piece of text; its look is decided here and nowhere else. */
export type Role =
	| 'plain'
	| 'dim'
	| 'strong'
	| 'title'
	| 'accent'
	| 'good'
	| 'warning'
	| 'bad'
	| 'border'
	| 'focus'
	| 'selected'
	| 'caret';

/** The looks that the terminal supports. */
export type StyleAbilities = {
	/** Colours are welcome: no NO_COLOR, no dumb terminal. */
	readonly colour: boolean;
	/** The background is light: what is bright on dark would not be read. @default false */
	readonly light?: boolean;
	/** Bold, dim and inverse are understood: everything but a dumb terminal. */
	readonly attributes: boolean;
};

const codes = {bold: [1, 22], dim: [2, 22], underline: [4, 24], inverse: [7, 27]} as const;
const colours = {red: 31, green: 32, yellow: 33, cyan: 36} as const;
/** Yellow and cyan fade on white; these do not. */
const coloursOnLight = {...colours, yellow: 35, cyan: 34} as const;

type Look = {
	readonly attributes?: readonly (keyof typeof codes)[];
	/** One of the terminal's own 16, so that it reads on whatever background the user chose. */
	readonly colour?: keyof typeof colours;
};

const looks: Readonly<Record<Role, Look>> = {
	plain: {},
	dim: {attributes: ['dim']},
	strong: {attributes: ['bold']},
	title: {attributes: ['bold']},
	accent: {colour: 'cyan'},
	good: {colour: 'green'},
	warning: {colour: 'yellow'},
	bad: {attributes: ['bold'], colour: 'red'},
	border: {attributes: ['dim']},
	focus: {attributes: ['bold'], colour: 'cyan'},
	selected: {attributes: ['bold', 'inverse']},
	caret: {attributes: ['inverse']},
};

type Sgr = {
	readonly open: string;
	readonly close: string;
	/** It shows on blanks too. */
	readonly marksBlanks: boolean;
};

const known = new Map<string, Sgr>();

/** The escape sequences that open and close a look, the roles of a row and of a piece of it combined. */
export function sgr(roles: readonly Role[], abilities: StyleAbilities): Sgr {
	const key = `${roles.join()} ${abilities.colour} ${abilities.light} ${abilities.attributes}`;
	let found = known.get(key);
	if (found === undefined) {
		found = combined(roles, abilities);
		known.set(key, found);
	}
	return found;
}

function combined(roles: readonly Role[], abilities: StyleAbilities): Sgr {
	const attributes = new Set<keyof typeof codes>();
	let colour: keyof typeof colours | undefined;
	for (const role of roles) {
		const look = looks[role];
		for (const attribute of look.attributes ?? []) attributes.add(attribute);
		colour = look.colour ?? colour;
	}
	// Both close with 22, and dim text inside a bold row should still read.
	if (attributes.has('bold')) attributes.delete('dim');
	const shown = abilities.attributes ? [...attributes].map(name => codes[name]) : [];
	const open = shown.map(([on]) => on as number);
	const close = shown.map(([, off]) => off as number).reverse();
	if (colour !== undefined && abilities.colour && !attributes.has('inverse')) {
		open.push((abilities.light ? coloursOnLight : colours)[colour]);
		close.unshift(39);
	}
	const marksBlanks = attributes.has('inverse') || attributes.has('underline');
	return {open: sequence(open), close: sequence(close), marksBlanks};
}

function sequence(numbers: readonly number[]): string {
	return numbers.map(number => graphicRendition(number)).join('');
}
