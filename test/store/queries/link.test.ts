import {expect, test} from 'vitest';
import {episodeLink, placeOfEpisode, printLink, readLink} from '../../../source/store/queries/link.ts';

const id = '0190c3a1-7b1e-7c3d-9a55-2f1f0f5e7a10';

test.each(['job', 'dataset', 'model', 'project', 'upload', 'episode'])(
	'a link to a %s is read as it was printed',
	kind => {
		const link = readLink(`${kind}:${id}`);
		expect(link).toEqual({kind, id});
		expect(link && printLink(link)).toBe(`${kind}:${id}`);
	},
);

test('an episode is named by its dataset and index, which any service can be asked for', () => {
	const link = episodeLink({dataset_name: 'so101-fold.v2', episode_index: 37});
	expect(printLink(link)).toBe('episode:so101-fold.v2/37');
	expect(placeOfEpisode(link)).toEqual({dataset: 'so101-fold.v2', index: 37});
	expect(readLink(printLink(link))).toEqual(link);
});

test.each([
	'',
	'job',
	'job:',
	'job:12',
	`robot:${id}`,
	`job:${id}x`,
	'episode:a/b',
	'episode:/3',
	'dataset:a/3',
])('%j is no link', text => {
	expect(readLink(text)).toBeUndefined();
});

test('blanks around a pasted link and capitals in its id do no harm', () => {
	expect(readLink(`  job:${id.toUpperCase()}\n`)).toEqual({kind: 'job', id});
});
