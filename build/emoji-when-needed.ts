import {readFile} from 'node:fs/promises';
import type {Plugin} from 'rolldown';

const eager = 'const rgiEmojiRegex = /^\\p{RGI_Emoji}$/v;';

/** Every emoji has a code point of that property, and one beyond ASCII: digits have it too, and signs that are drawn in frames do not. */
const whenNeeded = `const rgiEmojiRegex = {
	test: segment => /\\p{Emoji}/u.test(segment) && /\\P{ASCII}/u.test(segment) && /^\\p{RGI_Emoji}$/v.test(segment),
};`;

/**
 * string-width has V8 build the set of all emoji as it loads: 6 ms of every start, to find that what is drawn has none.
 * With this it is built for the first text that may have one.
 */
export const emojiWhenNeeded: Plugin = {
	name: 'emoji-when-needed',
	load: {
		filter: {id: /[\\/]string-width[\\/]index\.js$/},
		async handler(file) {
			const text = await readFile(file, 'utf8');
			if (!text.includes(eager))
				throw new Error(`${file} reads otherwise than build/emoji-when-needed.ts knows it.`);
			return text.replace(eager, () => whenNeeded);
		},
	},
};
