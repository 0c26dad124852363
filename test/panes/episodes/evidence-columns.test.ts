import {expect, test} from 'vitest';
import {createScreen} from '../../../source/components/screen.tsx';
import {signsFor} from '../../../source/components/signs.ts';
import type {ChannelPredicateEvidence, LakeEpisode} from '../../../source/contract/episode.ts';
import {evidenceColumn, shareBeyond} from '../../../source/panes/episodes/evidence-columns.ts';

const screen = createScreen({colour: false, attributes: false, ascii: false}, signsFor({unicode: true}));
const predicates = [
	{channel: 'gripper.pos', agg: 'max', op: 'gt', value: 50},
	{channel: 'wrist.pos', agg: 'min', op: 'lte', value: -10},
] as const;

const evidence = (place: 0 | 1, observed_value: number): ChannelPredicateEvidence => {
	const {value: threshold, ...rest} = predicates[place];
	return {
		...rest,
		stream: 'action',
		threshold,
		observed_value,
		predicate_index: place,
		native_channel: 'x',
		native_index: 0,
	};
};

const column = (place: 0 | 1, given: readonly ChannelPredicateEvidence[] | undefined) =>
	evidenceColumn([...predicates], place, () => given);

const episode = {} as LakeEpisode;

test('a predicate’s column shows the observed value and its margin over the threshold', () => {
	const both = [evidence(0, 100), evidence(1, -30)];
	expect(column(0, both).label).toBe('max gripper.pos>50');
	expect(column(0, both).cell(episode, screen)).toEqual({text: '    100 ██  '});
	expect(column(1, both).cell(episode, screen).text).toMatch(/^ {4}-30 ██▋ $/);
});

test('an unknown value is blank; evidence that contradicts its predicate is marked', () => {
	expect(column(0, undefined).cell(episode, screen).text).toBe('');
	expect(column(1, [evidence(0, 100)]).cell(episode, screen)).toEqual({text: '✗ no evidence', role: 'bad'});
	expect(column(0, [evidence(0, 50)]).cell(episode, screen)).toEqual({text: '     50 ✗', role: 'bad'});
});

test('the bar grows with the margin and is never full', () => {
	expect([0, 1, 50, 5000].map(margin => shareBeyond(margin, 50))).toEqual([0, 1 / 51, 0.5, 5000 / 5050]);
	expect(shareBeyond(3, 0)).toBe(1);
});
