import {DatabaseSync} from 'node:sqlite';
import {expect, test} from 'vitest';
import {ServiceStartError, startProblem} from '../../../source/service/host/start-error.ts';

function failure(act: () => void): unknown {
	try {
		act();
	} catch (error) {
		return error;
	}
	throw new Error('it did not fail');
}

test('a disk that fills up while a service starts is a sentence with the way out', () => {
	using database = new DatabaseSync(':memory:');
	database.exec('CREATE TABLE lake (value TEXT); PRAGMA max_page_count = 2');
	const full = failure(() => database.prepare('INSERT INTO lake VALUES (?)').run('x'.repeat(100_000)));
	expect(startProblem('/lakes/mine', full)).toEqual(
		new ServiceStartError(
			'Cannot use the lake folder /lakes/mine: the disk is full. Choose another folder with --lake DIR or LAKESCOPE_LAKE, or fix this one.',
		),
	);
});

test('what is no doing of the disk stays what it is', () => {
	const told = new ServiceStartError('The port is in use.');
	const bug = new TypeError('not a function');
	expect(startProblem('/lakes/mine', told)).toBe(told);
	expect(startProblem('/lakes/mine', bug)).toBe(bug);
});
