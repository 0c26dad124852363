import type {LocalDocument} from '../../../contract/local.ts';
import {facetAbilities, metricAbilities, negationAbility} from '../../../contract/local-explore.ts';
import {version} from '../../host/version.ts';
import {type Route, route} from '../../http/route.ts';
import type {LakeEngine} from '../../lake/engine.ts';

/** `GET /local/v1`: what this service is, over which lake, and what it can do beyond the interface document. */
export function documentRoute({
	lake,
	folder,
	readOnly,
	sample,
	takesEnvironment,
}: {
	lake: LakeEngine;
	folder: string;
	/** Why the lake can only be read; undefined where it can be written. */
	readOnly: string | undefined;
	sample: boolean;
	/** It looks for its trainer where its callers say. */
	takesEnvironment: boolean;
}): Route {
	return route({method: 'GET', path: '/local/v1'}, async (): Promise<LocalDocument> => {
		const {datasets, episodes, untrainable} = await lake.totals();
		return {
			service: 'lakescope',
			version,
			lake: {
				folder,
				sample,
				datasets,
				episodes: Number(episodes),
				read_only: readOnly ?? null,
				// The sample's faults are planted.
				untrainable: sample ? 0 : untrainable,
			},
			abilities: [
				'ingests',
				'forget',
				'repair',
				'uploads',
				'jobs',
				'machine',
				'trainer-options',
				'finetune-line',
				'augmentations',
				'defs',
				'presence',
				'siblings',
				'explore',
				'reviews',
				'series',
				'frames',
				'compose',
				'histogram',
				'channels',
				negationAbility,
				...facetAbilities,
				...metricAbilities,
				...(takesEnvironment ? ['trainer-environment'] : []),
				...(sample ? ['sample'] : []),
			],
		};
	});
}
