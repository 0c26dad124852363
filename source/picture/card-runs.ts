import type {Token, Tokens} from 'marked';

/** How words of a card look; names of the components' roles. */
type CardLook = 'plain' | 'title' | 'strong' | 'accent' | 'dim';

/** A run of words of one look. */
export type CardRun = {readonly text: string; readonly role: CardLook; readonly link?: string};

/** A line end that is meant: `<br>` or two blanks. */
export const lineBreak = '\n';

/** Further in than this, marks are only marks. */
const deepest = 16;

const named: Readonly<Record<string, string>> = {
	amp: '&',
	lt: '<',
	gt: '>',
	quot: '"',
	'#39': "'",
	nbsp: ' ',
};

/** The few entities that cards are written with; others stay as they are. */
function unescaped(text: string): string {
	return text.replaceAll(/&(amp|lt|gt|quot|#39|nbsp);/g, (whole, name: string) => named[name] ?? whole);
}

/** One line end inside a paragraph is a blank. */
const words = (text: string, role: CardLook): CardRun => ({
	text: unescaped(text).replaceAll(/\s*\n\s*/g, ' '),
	role,
});

/** Tags as they stand: nothing of them is obeyed. */
const inert = (text: string): CardRun => ({text: text.replaceAll(/\s*\n\s*/g, ' '), role: 'dim'});

/**
 * The words of a piece of Markdown, each run with its look. Links show their address, and lead there only where it is one of the web; images show
 * their words and are not fetched, HTML shows as it is written.
 */
export function inlineRuns(
	tokens: readonly Token[],
	role: CardLook = 'plain',
	depth = 0,
): readonly CardRun[] {
	return tokens.flatMap(token => runsOf(token as Tokens.Generic, role, depth));
}

function runsOf(token: Tokens.Generic, role: CardLook, depth: number): readonly CardRun[] {
	const inside = (look: CardLook): readonly CardRun[] =>
		token.tokens === undefined || depth >= deepest
			? [words(String(token.text ?? token.raw), look)]
			: inlineRuns(token.tokens, look, depth + 1);
	switch (token.type) {
		case 'strong':
			return inside('strong');
		case 'em':
		case 'del':
			return inside(role);
		case 'codespan':
			return [{text: String(token.text), role: 'accent'}];
		case 'checkbox':
			return [];
		case 'br':
			return [{text: lineBreak, role}];
		case 'link': {
			const href = String(token.href);
			const shown = inside('accent').map(run => ({...run, link: href}));
			const text = shown.map(({text: part}) => part).join('');
			return text === href ? shown : [...shown, {text: ` (${href})`, role: 'dim'}];
		}
		case 'image':
			return [{text: `[image: ${String(token.text || token.href)}]`, role: 'dim'}];
		case 'html':
			return /^<br\s*\/?>$/i.test(token.raw.trim()) ? [{text: lineBreak, role}] : [inert(token.raw)];
		case 'escape':
			return [{text: String(token.text), role}];
		case 'text':
			return inside(role);
		default:
			return [words(token.raw, role)];
	}
}
