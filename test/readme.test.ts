import {readFileSync} from 'node:fs';
import path from 'node:path';
import {expect, test} from 'vitest';
import {endpoints} from '../source/contract/endpoints.ts';

const readme = readFileSync(path.join(import.meta.dirname, '..', 'README.md'), 'utf8');

test('the README says of every endpoint of the interface from where the explorer comes to it', () => {
	const told = [...readme.matchAll(/^\| (GET|POST) (\/v1\/\S+) \| (.+) \|$/gm)];
	// The table calls every id {id}.
	const known = Object.values(endpoints).map(
		({method, path: at}) => `${method} ${at.replaceAll(/\{\w+\}/g, '{id}')}`,
	);
	expect(told.map(([, method, at]) => `${method} ${at}`).sort()).toEqual([...known].sort());
});
