import type {IncomingHttpHeaders} from 'node:http';
import type {Answer} from './answers.ts';
import type {ServiceState} from './state.ts';

/** A request as it came in. `body` is the parsed JSON, or the text where it is none, undefined if empty. */
export type RecordedRequest = {
	method: string;
	path: string;
	query: Record<string, string>;
	headers: IncomingHttpHeaders;
	body: unknown;
	bytes: Buffer;
};

/** A handler's input. */
export type Call = RecordedRequest & {params: Record<string, string>; state: ServiceState; origin: string};

export type Handler = (call: Call) => Answer | Promise<Answer>;
