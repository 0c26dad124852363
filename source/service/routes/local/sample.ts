import {HttpProblem} from '../../http/http-problem.ts';
import {type Route, route} from '../../http/route.ts';
import type {SampleService} from '../../sample/sample-service.ts';

/**
 * `/local/v1/sample`: writes the sample's datasets and ingests them.
 *
 * @param sampleService absent in a lake that is not the sample's
 */
export function sampleRoutes(sampleService: SampleService | undefined): readonly Route[] {
	const path = '/local/v1/sample';
	return [
		route(
			{method: 'GET', path},
			() => sampleService?.status() ?? {phase: 'absent', datasets_done: 0, datasets_total: 0},
		),
		route(
			{method: 'POST', path},
			() => {
				if (sampleService) return sampleService.start();
				throw new HttpProblem(
					409,
					'This lake is one of recordings: the sample has a lake of its own. Open it with --sample.',
				);
			},
			202,
		),
	];
}
