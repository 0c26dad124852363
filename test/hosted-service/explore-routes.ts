import {ok, Refusal} from './answers.ts';
import type {Handler} from './calls.ts';
import {exploreRequest} from './explore-request.ts';
import {checkAccount, jsonBody, pathUuid} from './parts.ts';

export const explore: Handler = call => {
	checkAccount(call);
	return ok(call.state.explorer.explore(jsonBody(call, exploreRequest)));
};

export const syncStatus: Handler = call => {
	checkAccount(call);
	const status = call.state.syncs.get(pathUuid(call, 'operation_id'));
	if (!status) throw new Refusal(404, 'Unknown operation');
	return ok(status);
};
