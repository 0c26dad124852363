import {Box} from 'ink';
import type {ReactNode} from 'react';
import {type KeyOf, keySentence, keyWords, useKeyOf} from '../../components/key-words.ts';
import {type Row, Rows} from '../../components/rows.tsx';
import {useScreen} from '../../components/screen.tsx';
import type {Role} from '../../components/theme.ts';
import {useExplained, useExplorerState, useLocal, useResult} from '../../hooks/explorer.tsx';
import {print} from '../../query/print.ts';
import type {Explained, Missing, TermLeftOut} from '../../store/filter/explain-empty.ts';
import type {Freshness} from '../../store/queries/freshness.ts';
import {isMoving} from '../../store/queries/local-document.ts';
import {printableLines} from '../../terminal/printable.ts';
import {grouped} from '../../terminal/quantity.ts';
import {shortNumber} from '../list/figure-words.ts';

/** The words in place of the episodes while there are none: the reason, and a way out. */
export function EmptyResult({width, height}: {readonly width: number; readonly height: number}): ReactNode {
	const {drawing} = useScreen();
	const freshness = useResult(result => result.freshness);
	const isPreparing = useLocal(isMoving);
	const filter = useExplorerState(state => print(state.filter));
	const explained = useExplained();
	const keyOf = useKeyOf();
	const rows: Row[] = emptyWords(freshness, {filter, isPreparing, explained, keyOf}).flatMap(({text, role}) =>
		printableLines(text, Math.max(1, width - 4), drawing).map(line => ({
			segments: ['  ', {text: line, role}],
		})),
	);
	return (
		<Box
			flexDirection="column"
			paddingTop={height > 4 ? 1 : 0}
			width={width}
			height={height}
			overflow="hidden"
		>
			<Rows rows={rows} width={width} />
		</Box>
	);
}

type Sentence = {readonly text: string; readonly role: Role};

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
			return [{text: 'Loading the lake.', role: 'dim'}];
		case 'failed':
		case 'offline':
			return [
				{text: freshness.reason, role: 'bad'},
				{text: wayOn(freshness, keyOf), role: 'plain'},
			];
		case 'stale':
		case 'fresh':
			if (filter === '' && isPreparing) {
				return [{text: 'The first episodes are being ingested and appear here.', role: 'plain'}];
			}
			return filter === ''
				? [
						{text: 'The lake has no episodes yet.', role: 'strong'},
						{
							text: 'lakescope ingest DIR ingests a LeRobot dataset; its episodes appear here.',
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
	return `${ways.map(way => `${way}, `).join('')}${ways.length > 0 ? 'and a' : 'A'} facet lists the count for each value.`;
}

type WayOn = {
	readonly isReading: boolean;
	readonly isTriedAgain: boolean;
	readonly notBefore: number | undefined;
};

function wayOn({isReading, isTriedAgain, notBefore}: WayOn, keyOf: KeyOf): string {
	if (isReading) return 'Retrying.';
	const quit = ['app.quit', 'quits'] as const;
	if (!isTriedAgain) return keySentence(keyOf, [['explore.refresh', 'retries'], quit]);
	const keys = notBefore === undefined ? ([['explore.refresh', 'retries now'], quit] as const) : [quit];
	return `It retries automatically. ${keySentence(keyOf, keys)}`;
}

function missingSentence({kind, asked, like}: Missing): string {
	const meant = like.length > 0 ? ` ${like.join(' or ')}?` : '';
	return `No episode has the ${kind} ${asked}.${meant}`;
}

function termSentence({text, total, range}: TermLeftOut): string {
	const lies = range ? `, where it goes from ${shortNumber(range.min)} to ${shortNumber(range.max)}` : '';
	return `without ${text}: ${grouped(total)}${lies}`;
}

/** Why a filter lets nothing through, and which of its terms is in the way. */
export function explainedWords(explained: Explained): readonly Sentence[] {
	const {missing, terms, untried, isDone} = explained;
	const helpful = terms.filter(({total}) => Number(total) > 0);
	const sentences: Sentence[] = missing.map(each => ({text: missingSentence(each), role: 'warning'}));
	for (const term of helpful) sentences.push({text: termSentence(term), role: 'plain'});
	if (isDone && helpful.length === 0 && terms.length > 1) {
		const tried = untried > 0 ? `None of the first ${terms.length} terms` : 'No term';
		sentences.push({text: `${tried} alone causes this: removing one finds nothing.`, role: 'plain'});
	}
	if (!isDone) sentences.push({text: 'Looking for the term that excludes everything.', role: 'dim'});
	return sentences;
}
