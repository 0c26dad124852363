import type {ValidationIssue} from '../../contract/errors.ts';
import type {Refusal, RefusalKind} from '../host/refusal.ts';

/** A request that is refused: the status, and the `detail` of section 7, a sentence or the issues found. */
export class HttpProblem extends Error {
	override readonly name = 'HttpProblem';
	readonly status: number;
	readonly detail: string | readonly ValidationIssue[];
	readonly headers: Readonly<Record<string, string>>;

	constructor(
		status: number,
		detail: string | readonly ValidationIssue[],
		headers: Readonly<Record<string, string>> = {},
	) {
		super(typeof detail === 'string' ? detail : detail.map(issue => issue.msg).join('; '));
		this.status = status;
		this.detail = detail;
		this.headers = headers;
	}
}

const statuses: Record<RefusalKind, number> = {
	malformed: 400,
	unauthenticated: 401,
	forbidden: 403,
	absent: 404,
	conflict: 409,
	'too-large': 413,
	invalid: 422,
	failed: 500,
	unavailable: 503,
	'no-room': 507,
};

/** How a request is answered that the service refuses. */
export function problemOf({kind, detail, retryAfter}: Refusal): HttpProblem {
	return new HttpProblem(
		statuses[kind],
		detail,
		retryAfter === undefined ? {} : {'retry-after': String(retryAfter)},
	);
}
