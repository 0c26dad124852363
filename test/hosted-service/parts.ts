import {Refusal} from './answers.ts';
import type {Call} from './calls.ts';
import {demand, object, optional, type Reader, required, uuid} from './validation.ts';

/** A uuid of the path. */
export const pathUuid = (call: Call, name: string): string => demand(uuid, call.params[name], ['path', name]);

/** The JSON body, refused where there is none or it cannot be parsed. */
export function jsonBody<T>(call: Call, read: Reader<T>): T {
	if (call.bytes.length === 0) return demand(object({body: required(read)}), {}, []).body;
	if (typeof call.body === 'string' && !call.bytes.toString().trimStart().startsWith('"')) {
		const ctx = {error: 'Expecting value'};
		throw new Refusal(422, [
			{type: 'json_invalid', loc: ['body', 0], msg: 'JSON decode error', input: {}, ctx},
		]);
	}
	return demand(read, call.body, ['body']);
}

/** Refuses an `account_id` that is no uuid, or an account that this key may not act on. */
export function checkAccount(call: Call): void {
	const {account_id} = demand(object({account_id: optional<string | null>(uuid, null)}), call.query, [
		'query',
	]);
	if (account_id !== null && account_id !== call.state.account)
		throw new Refusal(403, `No access to account ${account_id}`);
}
