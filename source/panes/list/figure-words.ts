import type {Screen} from '../../components/screen.tsx';
import type {Role} from '../../components/theme.ts';
import type {LakeEpisode} from '../../contract/episode.ts';
import {reviewWords} from '../../contract/vocabulary.ts';

/** A number in few characters: three digits that say something, more of them before the point. */
export function shortNumber(value: number): string {
	if (value !== 0 && (Math.abs(value) >= 1e6 || Math.abs(value) < 1e-3)) return value.toExponential(1);
	return String(Number(value.toPrecision(Math.abs(value) >= 1000 ? 6 : 3)));
}

type Look = {readonly text: string; readonly role: Role};

/** A tier as people read it, told by a sign and a word, the colour besides; an unknown one as it came. */
export function tierLook(tier: string | null | undefined, {signs}: Screen): Look {
	if (tier === 'retrainable') return {text: `${signs.yes} retrainable`, role: 'good'};
	if (tier === 'analyze_only') return {text: `${signs.partly} analyze_only`, role: 'warning'};
	if (tier == null || tier === '') return {text: '', role: 'dim'};
	return {text: tier, role: 'plain'};
}

/** A review state as people read it. */
export function reviewLook(state: string, {signs}: Screen): Look {
	switch (state) {
		case 'unreviewed':
			return {text: reviewWords(state), role: 'dim'};
		case 'auto_accepted':
			return {text: reviewWords(state), role: 'plain'};
		case 'human_audited':
			return {text: `${signs.yes} kept`, role: 'good'};
		case 'rejected':
			return {text: `${signs.no} rejected`, role: 'bad'};
		default:
			return {text: state, role: 'plain'};
	}
}

/** The reasons against an episode, worst first, as the embedded service puts them among its metrics. */
export function suspectReasons({metrics}: Pick<LakeEpisode, 'metrics'>): readonly string[] {
	return textsOf(metrics?.suspect_reasons);
}

/** The channels that those are about, as `stream.channel`, the worst first. */
export function suspectChannels({metrics}: Pick<LakeEpisode, 'metrics'>): readonly string[] {
	return textsOf(metrics?.suspect_channels);
}

function textsOf(value: unknown): readonly string[] {
	return Array.isArray(value) ? value.filter(each => typeof each === 'string') : [];
}
