import fuzzysort from 'fuzzysort';
import type {ActiveBinding} from '../../input/active-bindings.ts';
import {showKeys} from '../../input/key-name.ts';
import {
	episodeLink,
	exampleId,
	isId,
	type Link,
	type LinkKind,
	linkKinds,
	printLink,
	readLink,
} from '../../store/queries/link.ts';

/** The effect of an entry. */
export type PaletteEffect =
	| {readonly kind: 'action'; readonly action: string}
	| {readonly kind: 'go'; readonly link: Link}
	| {readonly kind: 'follow'; readonly list: 'uploads' | 'jobs'; readonly id: string};

/** A line of the palette. */
export type PaletteEntry = {
	/** The text that is shown and searched. */
	readonly text: string;
	/** The category of an action, or the kind of a thing. */
	readonly of: string;
	/** The key that does the same. */
	readonly keys: string;
	readonly effect: PaletteEffect;
};

/** A thing that the palette can go to by its name. */
type NamedThing = {
	readonly kind: Exclude<LinkKind, 'episode'>;
	readonly id: string;
	readonly name: string;
};

type Known = {
	readonly commands: readonly ActiveBinding[];
	readonly things: readonly NamedThing[];
	/** Names of datasets whose episodes were seen. */
	readonly datasets: readonly string[];
	readonly unicode: boolean;
};

/** The action that opens the palette: not listed in it. */
const own = 'app.palette';

const mostEntries = 100;

/** The score below which a match is a coincidence of letters. */
const leastScore = 0.3;

/** Weight of a match in the category, relative to one in the name. */
const ofWeight = 0.6;

function actionEntries({commands, unicode}: Known): readonly PaletteEntry[] {
	const seen = new Set([own]);
	// Actions of the footer come before movement through a list.
	const isWanted = ({footer}: ActiveBinding) => footer !== undefined;
	const wanted = [...commands.filter(isWanted), ...commands.filter(each => !isWanted(each))];
	return wanted.flatMap(({action, description, category = 'Anywhere', keys}) => {
		if (seen.has(action) || description === '') return [];
		seen.add(action);
		const shown = keys.map(chord => showKeys(chord, {unicode})).join('  ');
		return [{text: description, of: category, keys: shown, effect: {kind: 'action', action} as const}];
	});
}

const goEntry = (link: Link, text = printLink(link)): PaletteEntry => ({
	text: `go to ${text}`,
	of: link.kind,
	keys: '',
	effect: {kind: 'go', link},
});

const followEntry = (list: 'uploads' | 'jobs', id: string): PaletteEntry => ({
	text: `follow ${list === 'jobs' ? 'the job' : 'the operation'} ${id}`,
	of: list,
	keys: '',
	effect: {kind: 'follow', list, id},
});

/** Entries for a link, an id or `follow ID`; an id alone can be of any kind. */
function idEntries(query: string, things: readonly NamedThing[]): readonly PaletteEntry[] {
	const [, follow, text = ''] = /^(follow\s+)?(\S+)$/i.exec(query.trim()) ?? [];
	const link = readLink(text);
	const id = (link?.id ?? text).toLowerCase();
	if (follow !== undefined) {
		if (!isId(id)) return [];
		if (link?.kind === 'job') return [followEntry('jobs', id)];
		return link === undefined
			? [followEntry('uploads', id), followEntry('jobs', id)]
			: [followEntry('uploads', id)];
	}
	if (link !== undefined) return [goEntry(link)];
	if (!isId(id)) return [];
	const known = things.filter(thing => thing.id === id);
	const kinds = known.length > 0 ? known.map(({kind}) => kind) : linkKinds;
	return kinds.map(kind => goEntry({kind, id}));
}

/** Entries for `DATASET INDEX`, the name of an episode. */
function episodeEntries(query: string, datasets: readonly string[]): readonly PaletteEntry[] {
	const [, name = '', index = ''] = /^(\S+)[\s/·]+(\d{1,9})$/.exec(query.trim()) ?? [];
	if (index === '') return [];
	const found = fuzzysort.go(name, [...datasets], {limit: 5, threshold: leastScore});
	return found.map(({target}) =>
		goEntry(
			episodeLink({dataset_name: target, episode_index: Number(index)}),
			`${target} · ${Number(index)}`,
		),
	);
}

function beginsWith({text}: PaletteEntry, query: string): boolean {
	return text.toLowerCase().startsWith(query.trim().toLowerCase());
}

/** The words for an empty list, a line each; after `follow`, an example of an id. */
export function emptyWords(query: string): readonly string[] {
	if (!/^\s*follow(?:\s|$)/i.test(query)) return ['No match.'];
	return ['follow ID follows an operation or job; an id looks like', exampleId];
}

/** The entries of the palette: all actions before anything is typed, then the matches, best first. */
export function paletteEntries(query: string, known: Known): readonly PaletteEntry[] {
	const actions = actionEntries(known);
	if (query.trim() === '') return actions;
	const things = known.things.map(
		({kind, id, name}): PaletteEntry => ({
			text: name,
			of: kind,
			keys: '',
			effect: {kind: 'go', link: {kind, id}},
		}),
	);
	const found = fuzzysort.go(query.trim(), [...actions, ...things], {
		keys: ['text', 'of'],
		limit: mostEntries,
		threshold: leastScore,
		// The name counts for more than the category, or `upl` would list every upload of the lake before the view
		// of uploads. A name that begins with the typed text comes before `last upload`, whose letters match too.
		scoreFn: match =>
			Math.max(match[0]?.score ?? 0, match.score * ofWeight) + (beginsWith(match.obj, query) ? 1 : 0),
	});
	return [
		...idEntries(query, known.things),
		...episodeEntries(query, known.datasets),
		...found.map(({obj}) => obj),
	];
}
