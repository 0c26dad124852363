import {expect, test} from 'vitest';
import {explainedWords} from '../../../source/panes/episodes/empty-result.tsx';
import {parse} from '../../../source/query/parse.ts';
import {type Explained, missingChannels, missingValues} from '../../../source/store/filter/explain-empty.ts';
import {hosted} from '../../support/hosted.ts';
import {explorerOf, until} from '../support.ts';

function filterOf(line: string) {
	const read = parse(line);
	if (!read.ok) throw new Error(read.problems[0].message);
	return read.filter;
}

const sentences = (explained: Explained) => explainedWords(explained).map(({text}) => text);

test('an empty result names the term that is in the way, with a request a term', async () => {
	const service = await hosted({episodes: 300});
	const explorer = explorerOf(service, {filter: filterOf('tier:retrainable duration_s>1e9')});
	const asked = () => service.requests.filter(({path}) => path === '/v1/datasets/explore').length;
	const explained = await until(explorer.explanation.known, known => known?.isDone === true);
	expect(explained?.terms.map(({text, total}) => [text, Number(total) > 0])).toEqual([
		['duration_s>1000000000', true],
		['tier:retrainable', false],
	]);
	const total = explained?.terms[0]?.total;
	expect(explained && sentences(explained)).toEqual([`without duration_s>1000000000: ${total}`]);
	expect(asked()).toBe(3);
	explorer.filterBy(filterOf('tier:retrainable'));
	await until(explorer.window.result, ({rowCount}) => rowCount === Number(total));
	expect(explorer.explanation.known.getState()).toBeUndefined();
});

test('no more than eight terms are tried, and a filter that changes meanwhile stops it', async () => {
	const service = await hosted({episodes: 100});
	const many = Array.from({length: 12}, (_, place) => `duration_s>${1e9 + place}`).join(' ');
	const explorer = explorerOf(service, {filter: filterOf(many)});
	const explained = await until(explorer.explanation.known, known => known?.isDone === true);
	expect(explained).toMatchObject({untried: 4});
	expect(explained?.terms).toHaveLength(8);
	expect(explained && sentences(explained)).toEqual([
		'None of the first 8 terms alone causes this: removing one finds nothing.',
	]);
	expect(service.requests.filter(({path}) => path === '/v1/datasets/explore')).toHaveLength(9);
	explorer.filterBy(filterOf(''));
	await until(explorer.window.result, ({rowCount}) => rowCount === 100);
	expect(explorer.explanation.known.getState()).toBeUndefined();
});

test('a task that is misspelled is said although another term keeps everything out too', async () => {
	const explorer = explorerOf(await hosted({episodes: 300}), {
		filter: filterOf('task:"Fold the towl" duration_s>1e9'),
	});
	const explained = await until(explorer.explanation.known, known => known?.isDone === true);
	expect(explained && sentences(explained)).toEqual([
		'No episode has the task "Fold the towl". "fold the towel"?',
		'No term alone causes this: removing one finds nothing.',
	]);
});

test('a channel that no episode has is said, with those that resemble it', () => {
	const items = [
		{stream: 'action' as const, channel: 'gripper.pos', episodes: 5},
		{stream: 'state' as const, channel: 'elbow.pos', episodes: 5},
	];
	const missing = missingChannels(filterOf('max(gripper)>1 max(elbow.pos)>1 max(action.gripper.pos)>1'), {
		items,
		more: false,
	});
	const explained = {line: '', missing, terms: [], untried: 0, isDone: true};
	expect(sentences(explained)).toEqual([
		'No episode has the channel action.gripper. action.gripper.pos?',
		'No episode has the channel action.elbow.pos. state.elbow.pos?',
	]);
	expect(missingChannels(filterOf('max(gripper)>1'), {items, more: true})).toEqual([]);
});

test('a value that no episode has is said where the facet is listed whole', () => {
	const none = {
		by_tier: [],
		by_interface_hash: [],
		by_tier_total_values: 0,
		by_interface_hash_total_values: 0,
	};
	const facets = {...none, by_task: [{value: 'Fold the towel', count: 3}], by_task_total_values: 1};
	expect(missingValues(filterOf('task:"fold the towle"'), facets)).toEqual([
		{kind: 'task', asked: '"fold the towle"', like: ['"Fold the towel"']},
	]);
	expect(missingValues(filterOf('task:"Fold the towel"'), facets)).toEqual([]);
	expect(missingValues(filterOf('task:x'), {...facets, by_task_total_values: 600})).toEqual([]);
});
