/**
 * Words of the wire that people write and read otherwise: on screens, in filters and on the command line the word on the
 * left; in requests, answers and files the one on the right. Both are read wherever a person types one, so that filters,
 * links and views of earlier versions keep their meaning. What another word replaces gets its line here.
 */
const spellings = {
	review: {kept: 'human_audited'},
	sort: {oddness: 'doubt'},
} as const satisfies Record<string, Readonly<Record<string, string>>>;

type Spelled = keyof typeof spellings;

/** The wire's word for what a person wrote; any other text as it is. */
export function wireWord(of: Spelled, written: string): string {
	const words: Readonly<Record<string, string>> = spellings[of];
	return Object.hasOwn(words, written) ? (words[written] ?? written) : written;
}

/** The word that people read for one of the wire; any other text as it is. */
export function shownWord(of: Spelled, word: string): string {
	return Object.entries(spellings[of]).find(([, wire]) => wire === word)?.[0] ?? word;
}
