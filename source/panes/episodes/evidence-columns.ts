import {useMemo} from 'react';
import type {Screen} from '../../components/screen.tsx';
import type {ChannelPredicateEvidence, LakeEpisode} from '../../contract/episode.ts';
import type {ExploreRequest} from '../../contract/explore.ts';
import {useEvidenceKnown, useResult} from '../../hooks/explorer.tsx';
import {signOf} from '../../query/term.ts';
import {type CheckedEvidence, checkEvidence, evidenceFor} from '../../store/episodes/check-evidence.ts';
import {ownEvidence} from '../../store/episodes/evidence-watch.ts';
import {measureBeside} from '../../terminal/quantity.ts';
import type {CellText, Column} from './columns.ts';

type Predicates = NonNullable<ExploreRequest['channel_predicates']>;

const noPredicates: Predicates = [];
const valueWidth = 7;
const barWidth = 4;

/** A column for each channel predicate of the filter: what was observed, and how far beyond the threshold that is. */
export function useEvidenceColumns(): readonly Column[] {
	const predicates = useResult(({question}) => question.channel_predicates ?? noPredicates);
	const known = useEvidenceKnown();
	return useMemo(() => {
		const evidenceOf = (episode: LakeEpisode) => ownEvidence(episode) ?? known.get(episode.episode_id);
		return predicates.map((_, place) => evidenceColumn(predicates, place, evidenceOf));
	}, [predicates, known]);
}

export function evidenceColumn(
	predicates: Predicates,
	place: number,
	evidenceOf: (episode: LakeEpisode) => readonly ChannelPredicateEvidence[] | undefined,
): Column {
	const {agg, channel, op, value} = predicates[place] as Predicates[number];
	const label = `${agg} ${channel}${signOf[op]}${value}`;
	return {
		id: `evidence:${place}`,
		label,
		description: 'observed value and margin over the threshold',
		align: 'left',
		width: Math.min(20, Math.max(valueWidth + 1 + barWidth, label.length)),
		grow: 0,
		cell(episode, screen) {
			const evidence = evidenceOf(episode);
			if (evidence === undefined) return {text: '', role: 'dim'};
			const item = evidenceFor(evidence, place);
			if (item === undefined) return {text: `${screen.signs.no} no evidence`, role: 'bad'};
			return observedCell(checkEvidence(item, predicates), screen);
		},
	};
}

function observedCell({item, margin, problem}: CheckedEvidence, {signs}: Screen): CellText {
	const {observed_value, threshold} = item;
	const shown = measureBeside(observed_value, threshold).padStart(valueWidth);
	if (problem !== undefined) return {text: `${shown} ${signs.no}`, role: 'bad'};
	return {text: `${shown} ${signs.share(shareBeyond(margin, threshold), barWidth)}`};
}

/** How far beyond a threshold something is, between 0 and 1: half a bar is as far again as the threshold is from zero. */
export function shareBeyond(margin: number, threshold: number): number {
	const size = Math.abs(threshold);
	return margin <= 0 ? 0 : margin / (margin + size);
}
