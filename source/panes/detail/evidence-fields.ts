import type {Screen} from '../../components/screen.tsx';
import type {ChannelPredicateEvidence} from '../../contract/evidence.ts';
import type {ExploreRequest} from '../../contract/explore.ts';
import {signOf} from '../../query/comparison.ts';
import {checkEvidence, evidenceFor, predicateName} from '../../store/evidence/check-evidence.ts';
import {measure, measureBeside} from '../../terminal/quantity.ts';
import type {Field} from './episode-fields.ts';

/** What was asked of channels, and what was found out about one episode where it does not say that itself. */
export type EvidenceAsked = {
	readonly evidence?: readonly ChannelPredicateEvidence[] | undefined;
	readonly predicates?: ExploreRequest['channel_predicates'];
};

const signs: Readonly<Record<string, string>> = signOf;

/** Each row of evidence whole, with what checking it says; a predicate without evidence is named, once there is any. */
export function evidenceFields(
	evidence: readonly ChannelPredicateEvidence[] | undefined,
	predicates: NonNullable<ExploreRequest['channel_predicates']>,
	screen: Screen,
): readonly Field[] {
	if (evidence === undefined) return [];
	const missing = predicates.flatMap((predicate, place): readonly Field[] => {
		if (evidenceFor(evidence, place) !== undefined) return [];
		const value = `${screen.signs.no} ${predicateName(predicate)}: no evidence was given`;
		return [{label: labelOf(place), value, role: 'bad', long: true}];
	});
	return [...evidence.map(item => evidenceField(item, predicates, screen)), ...missing];
}

const labelOf = (place: number) => `predicate ${place + 1}`;

function evidenceField(
	item: ChannelPredicateEvidence,
	predicates: NonNullable<ExploreRequest['channel_predicates']>,
	screen: Screen,
): Field {
	const {op, threshold, observed_value, native_channel, native_index, predicate_index} = item;
	const {margin, problem} = checkEvidence(item, predicates);
	const {yes, no, separator} = screen.signs;
	const compared = `${measureBeside(observed_value, threshold)} ${signs[op] ?? op} ${measureBeside(threshold, observed_value)}`;
	const parts = [
		`${problem === undefined ? yes : no} ${predicateName(item)} ${compared}`,
		`margin ${measure(margin)}`,
		`at ${native_channel} [${native_index}]`,
		...(problem === undefined ? [] : [problem]),
	];
	const field = {label: labelOf(predicate_index), value: parts.join(` ${separator} `), long: true};
	return problem === undefined ? field : {...field, role: 'bad'};
}
