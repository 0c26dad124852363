import {expect, test} from 'vitest';
import {ServiceError} from '../../../source/client/errors.ts';
import {refusalOf} from '../../../source/commands/print/failure.ts';

const whole = 'http://a.example answered POST /v1/x with 404: Not Found.';

test('a refusal is told in the sentences of the service, and by the call where it gives none', () => {
	const refused = (refusal: object) => refusalOf(new ServiceError(whole, {status: 404, ...refusal}));
	expect(refused({detail: 'There is no dataset of that name.'})).toBe('There is no dataset of that name.');
	const issue = {loc: ['body', 'name'], msg: 'The name is taken.', type: 'taken'};
	expect(refused({issues: [issue]})).toBe('The name is taken.');
	expect(refused({detail: 'Not Found'})).toBe(whole);
	expect(refused({issues: [{...issue, msg: 'too long'}]})).toBe(whole);
	expect(refused({})).toBe(whole);
	expect(refusalOf(new Error('gone\u001b[2J'))).toBe('gone␛[2J');
});
