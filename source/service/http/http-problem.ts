import type {ValidationIssue} from '../../contract/errors.ts';

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
