import {type KeyOf, keySentence, keyWords} from '../../components/key-words.ts';
import type {Role} from '../../components/style.ts';
import type {Explained} from '../../store/empty-result/explain-empty.ts';
import type {Freshness} from '../../store/freshness.ts';
import {explainedWords} from './explained-words.ts';

export type Sentence = {readonly text: string; readonly role: Role};

type EmptyLook = {
	readonly filter: string;
	readonly isPreparing: boolean;
	readonly explained: Explained | undefined;
	readonly keyOf: KeyOf;
};

/** Why there are no episodes to see, and what can be done. */
export function emptyWords(
	freshness: Freshness,
	{filter, isPreparing, explained, keyOf}: EmptyLook,
): readonly Sentence[] {
	switch (freshness.state) {
		case 'loading':
			return [{text: 'Reading the lake.', role: 'dim'}];
		case 'failed':
		case 'offline':
			return [
				{text: freshness.reason, role: 'bad'},
				{text: wayOn(freshness, keyOf), role: 'plain'},
			];
		case 'stale':
		case 'fresh':
			if (filter === '' && isPreparing) {
				return [{text: 'The first episodes are on their way; they appear here as they come.', role: 'plain'}];
			}
			return filter === ''
				? [
						{text: 'The lake holds no episode yet.', role: 'strong'},
						{
							text: 'lakescope ingest DIR takes a LeRobot dataset in; its episodes appear here.',
							role: 'plain',
						},
					]
				: [
						{text: 'No episode matches this filter.', role: 'strong'},
						{text: filter, role: 'accent'},
						...(explained === undefined ? [] : explainedWords(explained)),
						{
							text: waysToOthers(keyOf),
							role: 'plain',
						},
					];
	}
}

function waysToOthers(keyOf: KeyOf): string {
	const ways = keyWords(keyOf, [
		['explore.clear-filter', 'clears it'],
		['explore.filter', 'changes it'],
		['explore.predicates', 'changes its comparisons'],
	]);
	return `${ways.map(way => `${way}, `).join('')}${ways.length > 0 ? 'and a' : 'A'} facet lists what each of its values would give.`;
}

type WayOn = {
	readonly isReading: boolean;
	readonly isTriedAgain: boolean;
	readonly notBefore: number | undefined;
};

function wayOn({isReading, isTriedAgain, notBefore}: WayOn, keyOf: KeyOf): string {
	if (isReading) return 'Trying again.';
	const quit = ['app.quit', 'quits'] as const;
	if (!isTriedAgain) return keySentence(keyOf, [['explore.refresh', 'tries again'], quit]);
	const keys = notBefore === undefined ? ([['explore.refresh', 'tries now'], quit] as const) : [quit];
	return `It is tried again by itself. ${keySentence(keyOf, keys)}`;
}
