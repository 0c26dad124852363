import fc from 'fast-check';
import {expect, test} from 'vitest';
import {complete, completed, type KnownValues} from '../../source/query/complete.ts';
import {parse} from '../../source/query/parse.ts';
import {print} from '../../source/query/print.ts';
import {arbitraryFilter} from './arbitrary-filter.ts';

const known: KnownValues = {
	values: {
		task: [
			{value: 'Fold the towel', count: 7},
			{value: 'Pick the red cube', count: 9},
			{value: 'wipe', count: 3},
		],
		tier: [{value: 'retrainable', count: 25}],
		dataset: [{value: 'so101-fold-1'}, {value: 'aloha-cups'}],
		tag: [{value: 'operator-chi', count: 4}],
	},
	channels: [
		{stream: 'action', channel: 'gripper.pos', count: 25},
		{stream: 'state', channel: 'gripper.pos', count: 25},
		{stream: 'action', channel: 'left arm', count: 1},
	],
};

/** The line with its caret where `|` stands. */
function at(marked: string) {
	const caret = marked.indexOf('|');
	const text = marked.slice(0, caret) + marked.slice(caret + 1);
	return {text, caret, ...complete(text, caret, known)};
}

const labels = (marked: string) => at(marked).candidates.map(({label}) => label);

/** The line after the first candidate, or the one of that label, was taken. */
function taking(marked: string, label?: string): string {
	const {text, span, candidates} = at(marked);
	const chosen = candidates.find(candidate => label === undefined || candidate.label === label);
	if (chosen === undefined) throw new Error(`${marked} offers ${candidates.map(each => each.label)}`);
	const after = completed(text, span, chosen);
	return `${after.text.slice(0, after.caret)}|${after.text.slice(after.caret)}`;
}

test('an empty word offers every key, then aggregates and figures', () => {
	for (const marked of ['|', 'tier:none | towel']) {
		expect(labels(marked).slice(0, 2)).toEqual(['tier:', 'task:']);
		expect(labels(marked)).toContain('max(');
		expect(labels(marked)).toContain('dt_dropped_frames');
	}
});

test.each([
	['ti|', 'tier:|'],
	['tier:none qual|', 'tier:none quality_score|'],
	['qs|', 'quality_score|'],
	['quality_score|', 'quality_score>=|'],
	['quality_score>|', 'quality_score>=|'],
	['quality_score |', 'quality_score >=|'],
	['tier:r|', 'tier:retrainable|'],
	['-ta|', '-tag:|'],
	['!tag|', '!tag:|'],
	['-tag:oper|', '-tag:operator-chi |'],
	['tag:night -tier:r|', 'tag:night -tier:retrainable|'],
	['-task:wipe,fold|', '-task:wipe,"Fold the towel"|'],
	['-chi|', '-tag:operator-chi |'],
	['tier:retrainable,a|', 'tier:retrainable,analyze_only|'],
	['task:fo|', 'task:"Fold the towel"|'],
	['task:"Fold th|', 'task:"Fold the towel"|'],
	['task:"Fold the towel",w|', 'task:"Fold the towel",wipe|'],
	['task:"Fo|ld" quality_score>1', 'task:"Fold the towel"| quality_score>1'],
	['task:w|xyz,wipe', 'task:wipe|,wipe'],
	['review:kep|', 'review:kept |'],
	['review:kep| towel', 'review:kept |towel'],
	['tag:op|', 'tag:operator-chi |'],
	['max(|', 'max(action.gripper.pos)|'],
	['max(st|', 'max(state.gripper.pos)|'],
	['max(left|', 'max(action."left arm")|'],
	['max(grip|x)>50', 'max(action.gripper.pos)|>50'],
	['max(action.gripper.pos)|', 'max(action.gripper.pos)>=|'],
	['towel fold|', 'towel task:"Fold the towel"|'],
	['chi|', 'tag:operator-chi |'],
	['gripp|', 'max(action.gripper.pos)|'],
])('%s is completed to %s', (typed, result) => {
	expect(taking(typed)).toBe(result);
});

test('values come with their counts, most common first, and those of the term already are left out', () => {
	expect(at('task:|').candidates.map(({label, count}) => [label, count])).toEqual([
		['"Fold the towel"', 7],
		['"Pick the red cube"', 9],
		['wipe', 3],
	]);
	expect(labels('task:wipe,|')).not.toContain('wipe');
	expect(at('tier:|').candidates[0]).toMatchObject({label: 'retrainable', count: 25});
	expect(labels('tier:|')).toEqual(['retrainable', 'analyze_only', 'none']);
});

test.each([
	'"Fold|',
	'-index:|',
	'-duration|',
	'quality_score>0.|',
	'index:|',
	'unknown:x|',
	'median(x|',
	'xyzzy|',
	'tier:none|',
])('%s offers nothing', marked => {
	expect(labels(marked)).toEqual([]);
});

test('where no channel was seen the streams are offered', () => {
	const {candidates} = complete('max(', 4, {values: {}, channels: []});
	expect(candidates.map(({label}) => label)).toEqual(['action.', 'state.', 'telemetry.']);
});

test('wherever the caret stands, what is offered replaces a part of the line around it', () => {
	fc.assert(
		fc.property(
			arbitraryFilter,
			fc.double({min: 0, max: 1, noNaN: true}),
			fc.nat(20),
			(filter, share, cut) => {
				const whole = print(filter);
				const text = whole.slice(0, Math.max(0, whole.length - cut));
				const caret = Math.round(share * text.length);
				const {span, candidates} = complete(text, caret, known);
				expect(span.start).toBeGreaterThanOrEqual(0);
				expect(span.start).toBeLessThanOrEqual(caret);
				expect(span.end).toBeGreaterThanOrEqual(caret);
				expect(span.end).toBeLessThanOrEqual(text.length);
				for (const candidate of candidates) {
					const after = completed(text, span, candidate);
					expect(after.caret).toBeLessThanOrEqual(after.text.length);
				}
			},
		),
		{numRuns: 1000},
	);
});

test('a value that is offered is read back as itself', () => {
	fc.assert(
		fc.property(fc.string({unit: 'binary', minLength: 1, maxLength: 12}), value => {
			const values = {task: [{value}]};
			const {span, candidates} = complete('task:', 5, {values, channels: []});
			const [candidate] = candidates;
			if (candidate === undefined) throw new Error('nothing is offered');
			const read = parse(completed('task:', span, candidate).text);
			expect(read.ok && read.filter.tasks).toEqual([value]);
		}),
	);
});
