import {localTriageEndpoints} from '../../../contract/local-triage-endpoints.ts';
import type {Compositions} from '../../compose/compositions.ts';
import {HttpProblem} from '../../http/http-problem.ts';
import {type Route, route} from '../../http/route.ts';
import type {IngestSupervisor} from '../../ingest/ingest-supervisor.ts';

/** `/local/v1/compose`: one new dataset of episodes of several. */
export function composeRoutes({
	compositions,
	supervisor,
}: {
	compositions: Compositions;
	supervisor: IngestSupervisor;
}): readonly Route[] {
	const {compose, composition, cancelComposition} = localTriageEndpoints;
	const found = <Record>(record: Record | undefined, operationId: string): Record => {
		if (record !== undefined) return record;
		throw new HttpProblem(404, `There is no composition ${operationId} in this lake.`);
	};
	return [
		route(compose, ({body}) => compositions.order(body, supervisor), 202),
		route(composition, ({parameters: {operation_id}}) =>
			found(compositions.record(operation_id), operation_id),
		),
		route(cancelComposition, async ({parameters: {operation_id}}) =>
			found(await compositions.cancel(operation_id, supervisor), operation_id),
		),
	];
}
