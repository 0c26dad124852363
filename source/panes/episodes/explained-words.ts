import type {Explained, TermLeftOut} from '../../store/empty-result/explain-empty.ts';
import type {Missing} from '../../store/empty-result/missing-values.ts';
import {grouped} from '../../terminal/quantity.ts';
import {shortNumber} from '../short-number.ts';
import type {Sentence} from './empty-words.ts';

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
		const tried = untried > 0 ? `None of the first ${terms.length} terms` : 'No one term';
		sentences.push({text: `${tried} is in the way alone: leaving out one brings nothing.`, role: 'plain'});
	}
	if (!isDone) sentences.push({text: 'Looking for the term that is in the way.', role: 'dim'});
	return sentences;
}
