import {describe, expect, test} from 'vitest';
import {type Endpoint, endpoints} from '../../source/contract/endpoints.ts';
import {brokenFields} from './bounds.ts';
import {someUuid} from './examples.ts';

/** Section, method, path and key rule, copied from sections 4 and 5; image-keys is named in 4.3. */
const documented = `
	4.1   POST  /v1/datasets/explore                      optional
	4.2   GET   /v1/datasets/sync-status/{operation_id}   optional
	4.3   POST  /v1/finetune                              required
	4.3   GET   /v1/datasets/{dataset_id}/image-keys      optional
	4.4   POST  /v1/datasets/upload/prepare-batch         optional
	4.5   GET   /v1/datasets/defs/{def_id}                optional
	4.6   GET   /v1/datasets/list                         required
	4.7   POST  /v1/datasets/uploads/{repo_id}/dismiss    optional
	4.8   GET   /v1/datasets/files                        optional
	4.9   GET   /v1/models/list                           required
	4.10  GET   /v1/jobs/list                             required
	4.11  GET   /v1/projects/list                         required
	4.12  POST  /v1/projects                              required
	4.13  POST  /v1/finetune/hyperparams/validate         required
	4.14  GET   /v1/finetune/hyperparams/defaults         required
	4.15  GET   /v1/finetune/{job_id}                     required
	4.16  GET   /v1/augmentation/{job_id}                 required
	4.17  POST  /v1/augmentation/{job_id}/cancel          required
	4.18  GET   /v1/events                                optional
`
	.trim()
	.split('\n')
	.map(line => line.trim().split(/\s+/).join(' '));

const table: Endpoint[] = Object.values(endpoints);
const inWords = ({section, method, path, key}: Endpoint): string => `${section} ${method} ${path} ${key}`;

test('4 and 5: the table holds the documented endpoints, methods, paths and key rules, and no others', () => {
	expect(table.map(inWords).sort()).toEqual([...documented].sort());
});

test.each(table.map(endpoint => [endpoint.path, endpoint] as const))(
	'4 %s: its path parameters are the ones described',
	(path, {parameters}) => {
		const named = Array.from(path.matchAll(/\{(\w+)\}/g), match => match[1] ?? '');
		expect(parameters !== undefined).toBe(named.length > 0);
		if (!parameters) return;
		expect(brokenFields(parameters, Object.fromEntries(named.map(name => [name, someUuid])))).toEqual([]);
		expect(brokenFields(parameters, {})).toEqual(named);
	},
);

describe('uuids in paths and queries', () => {
	const uuids: Array<[string, string]> = [
		['syncStatus', 'operation_id'],
		['definition', 'def_id'],
		['dismissUpload', 'repo_id'],
		['finetuneStatus', 'job_id'],
		['augmentationStatus', 'job_id'],
		['cancelAugmentation', 'job_id'],
	];
	const byName: Record<string, Endpoint> = endpoints;

	test.each(uuids)('4 %s %s: a uuid', (name, parameter) => {
		const {parameters} = byName[name] ?? {};
		expect(parameters && brokenFields(parameters, {[parameter]: 'seven'})).toEqual([parameter]);
	});

	test('4 and 5.5: account_id, a uuid or null, is a parameter of these four alone', () => {
		const taking = table.filter(
			({query}) => query && brokenFields(query, {account_id: 'me'}).includes('account_id'),
		);
		expect(taking.map(({section}) => section).sort()).toEqual(['4.1', '4.2', '4.5', '4.7']);
		for (const {query} of taking) {
			for (const account_id of [someUuid, null, undefined])
				expect(query && brokenFields(query, {account_id})).toEqual([]);
		}
	});
});

test('what may be tried again by itself: reads, and the POSTs that change nothing', () => {
	const changing = table
		.filter(({repeatable}) => !repeatable)
		.map(({section, method}) => `${section} ${method}`);
	expect(changing.sort()).toEqual(['4.12 POST', '4.17 POST', '4.3 POST', '4.7 POST']);
});
