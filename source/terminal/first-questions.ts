import type {Round} from './questions.ts';

/** What the terminal tells of itself at the start. */
export type FirstAnswers = {
	/** It knows the kitty keyboard protocol. */
	readonly kitty: boolean;
	readonly background: 'light' | 'dark' | undefined;
};

const backgroundColour = '\u001b]11;?\u001b\\';
const kittyFlags = '\u001b[?u';

/** What is asked once, at the start. @param answered called when all is told or the time is over. */
export function firstQuestions(answered: (answers: FirstAnswers) => void): Round {
	let answers: FirstAnswers = {kitty: false, background: undefined};
	return {
		text: backgroundColour + kittyFlags,
		hear({kind, data}) {
			if (kind === 'kitty-keyboard') answers = {...answers, kitty: true};
			if (kind === 'osc' && data.startsWith('11;')) {
				answers = {...answers, background: shadeOf(data.slice(3))};
			}
		},
		over: () => answered(answers),
	};
}

/**
 * Whether a colour as X11 writes it (`rgb:ffff/ffff/ffff`, one to four digits a part) is light: by its luma
 * (ITU-R BT.601), as eyes see green brighter than blue.
 */
function shadeOf(colour: string): FirstAnswers['background'] {
	const parts = /^rgba?:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})/i.exec(colour);
	if (parts === null) return undefined;
	const [red = 0, green = 0, blue = 0] = parts
		.slice(1)
		.map(digits => Number.parseInt(digits, 16) / (16 ** digits.length - 1));
	return 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 ? 'light' : 'dark';
}
