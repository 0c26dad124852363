import type {Role} from '../../components/style.ts';
import type {Explained} from '../../store/empty-result/explanation.ts';
import type {Freshness} from '../../store/freshness.ts';
import {explainedWords} from './explained-words.ts';

export type Sentence = {readonly text: string; readonly role: Role};

/** Why there are no episodes to see, and what can be done. */
export function emptyWords(
	freshness: Freshness,
	{filter, isPreparing, explained}: {filter: string; isPreparing: boolean; explained: Explained | undefined},
): readonly Sentence[] {
	switch (freshness.state) {
		case 'loading':
			return [{text: 'Reading the lake.', role: 'dim'}];
		case 'failed':
		case 'offline':
			return [
				{text: freshness.reason, role: 'bad'},
				{text: wayOn(freshness), role: 'plain'},
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
							text: 'X clears it, / and p change it, and a facet lists what each of its values would give.',
							role: 'plain',
						},
					];
	}
}

function wayOn({isReading, isTriedAgain}: {isReading: boolean; isTriedAgain: boolean}): string {
	if (isReading) return 'Trying again.';
	return isTriedAgain ? 'It is tried again by itself; r tries now, q quits.' : 'r tries again, q quits.';
}
