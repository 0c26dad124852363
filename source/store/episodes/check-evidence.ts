import type {ChannelPredicateEvidence} from '../../contract/episode.ts';
import type {ChannelPredicate} from '../../contract/explore.ts';
import {type Comparison, comparisons} from '../../contract/vocabulary.ts';
import {signOf} from '../../query/term.ts';

/** A row of evidence, and what looking at it by itself says of it. */
export type CheckedEvidence = {
	readonly item: ChannelPredicateEvidence;
	/** By how much the value is beyond the threshold; negative where it is not. */
	readonly margin: number;
	/** How the row contradicts its predicate, or itself. */
	readonly problem: string | undefined;
};

const holds: Readonly<Record<Comparison, (observed: number, threshold: number) => boolean>> = {
	gt: (observed, threshold) => observed > threshold,
	lt: (observed, threshold) => observed < threshold,
	gte: (observed, threshold) => observed >= threshold,
	lte: (observed, threshold) => observed <= threshold,
};

/** A predicate as the filter writes it: `max(action.gripper.pos)`. */
export function predicateName({
	agg,
	stream = 'action',
	channel,
}: {
	readonly agg: string;
	readonly stream?: string | undefined;
	readonly channel: string;
}): string {
	return `${agg}(${stream}.${channel})`;
}

function isComparison(op: string): op is Comparison {
	return (comparisons as readonly string[]).includes(op);
}

/** Checks a row of evidence against the predicates that were asked, without believing what it says of itself. */
export function checkEvidence(
	item: ChannelPredicateEvidence,
	predicates: readonly ChannelPredicateLike[],
): CheckedEvidence {
	const {observed_value, threshold, op} = item;
	const isUpper = op === 'lt' || op === 'lte';
	const margin = isUpper ? threshold - observed_value : observed_value - threshold;
	return {item, margin, problem: problemOf(item, predicates)};
}

/** A channel predicate as a caller may write it, the stream left out. */
type ChannelPredicateLike = Omit<ChannelPredicate, 'stream'> & {
	readonly stream?: ChannelPredicate['stream'] | undefined;
};

function problemOf(
	item: ChannelPredicateEvidence,
	predicates: readonly ChannelPredicateLike[],
): string | undefined {
	const {predicate_index, stream, channel, agg, op, threshold, observed_value} = item;
	const asked = predicates[predicate_index];
	if (asked === undefined) {
		return `it names predicate ${predicate_index + 1}, and ${predicates.length} were asked`;
	}
	const isOther =
		(asked.stream ?? 'action') !== stream ||
		asked.channel !== channel ||
		asked.agg !== agg ||
		asked.op !== op;
	if (isOther || asked.value !== threshold) {
		return `${predicateName(asked)}${signOf[asked.op]}${asked.value} was asked`;
	}
	if (!isComparison(op)) return `"${op}" is not a comparison`;
	return holds[op](observed_value, threshold)
		? undefined
		: `${observed_value} is not ${signOf[op]} ${threshold}`;
}

/** The evidence for one predicate among that of an episode. */
export function evidenceFor(
	evidence: readonly ChannelPredicateEvidence[],
	place: number,
): ChannelPredicateEvidence | undefined {
	return evidence.find(({predicate_index}) => predicate_index === place);
}
