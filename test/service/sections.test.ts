import {globSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {expect, test} from 'vitest';
import {endpoints} from '../../source/contract/endpoints.ts';

const here = import.meta.dirname;
const tests = globSync('**/*.test.ts', {cwd: here}).map(file => readFileSync(path.join(here, file), 'utf8'));
const titles = tests.flatMap(text =>
	Array.from(text.matchAll(/\b(?:test|describe)\(\s*'([^']+)'/g), found => found[1]),
);

test('every file of routes has a test of its name', () => {
	const named = globSync('**/*.test.ts', {cwd: here}).map(file => path.basename(file, '.test.ts'));
	const routes = globSync('../../source/service/routes/**/*.ts', {cwd: here});
	expect(routes.length).toBeGreaterThan(0);
	expect(routes.map(file => path.basename(file, '.ts')).filter(name => !named.includes(name))).toEqual([]);
});

test('every endpoint has a test of the embedded service that names its section', () => {
	const untested = Object.values(endpoints)
		.map(endpoint => `${endpoint.section} ${endpoint.method} ${endpoint.path}`)
		.filter(call => !titles.some(title => `${title} `.startsWith(`${call} `)));
	expect(untested).toEqual([]);
});
