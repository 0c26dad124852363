import type {Route} from '../http/route.ts';
import type {Jobs} from '../jobs/jobs.ts';
import type {Lake} from '../lake/lake.ts';
import {finetuneRoutes} from './finetune.ts';
import {hyperparameterRoutes} from './hyperparameters.ts';
import {jobRoutes} from './jobs.ts';
import {localJobRoutes} from './local/jobs.ts';
import {modelRoutes} from './models.ts';
import {projectRoutes} from './projects.ts';

/** All that has to do with training: projects, fine-tunes, hyperparameters, jobs and models. */
export function trainingRoutes(jobs: Jobs, lake: Pick<Lake, 'details'>): readonly Route[] {
	return [
		...projectRoutes(jobs),
		...hyperparameterRoutes,
		...finetuneRoutes({...jobs, lake}),
		...jobRoutes(jobs),
		...modelRoutes(jobs),
		...localJobRoutes(jobs),
	];
}
