import {OutcomeUnknownError} from './errors.ts';

/**
 * The failure of a call that changes something, was sent, and got no clear answer.
 *
 * @param name method and path
 */
export function unknownOutcome(name: string, cause: unknown): OutcomeUnknownError {
	const why = cause instanceof Error ? cause.message : 'it was broken off';
	const sentence = `It is unknown whether ${name} was carried out: ${why} It is not sent again by itself; look first.`;
	return new OutcomeUnknownError(sentence, name, cause);
}
