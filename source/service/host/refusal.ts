import type {ValidationIssue} from '../../contract/errors.ts';

/**
 * Why something is refused:
 * - `malformed`: what was sent cannot be read, or is not what was announced;
 * - `unauthenticated`: the caller gives no valid key;
 * - `forbidden`: the caller may not do it;
 * - `absent`: what is named is not there;
 * - `conflict`: it does not fit the state that things are in;
 * - `too-large`: it is more than was announced;
 * - `invalid`: a value is wrong;
 * - `failed`: it could not be done, for a reason that is known;
 * - `unavailable`: it cannot be done now;
 * - `no-room`: the disk or a quota has no room for it.
 */
export type RefusalKind =
	| 'malformed'
	| 'unauthenticated'
	| 'forbidden'
	| 'absent'
	| 'conflict'
	| 'too-large'
	| 'invalid'
	| 'failed'
	| 'unavailable'
	| 'no-room';

/** An error with the reason for a refusal: a sentence, or the issues found in the request. `http/` gives it a status. */
export class Refusal extends Error {
	override readonly name = 'Refusal';
	readonly kind: RefusalKind;
	readonly detail: string | readonly ValidationIssue[];
	/** When to ask again, in seconds. */
	readonly retryAfter: number | undefined;

	constructor(kind: RefusalKind, detail: string | readonly ValidationIssue[], retryAfter?: number) {
		super(typeof detail === 'string' ? detail : detail.map(issue => issue.msg).join('; '));
		this.kind = kind;
		this.detail = detail;
		this.retryAfter = retryAfter;
	}
}
