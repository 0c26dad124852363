import path from 'node:path';
import {openOperations} from '../../../source/service/daemon/operations-file.ts';
import {Activity} from '../../../source/service/host/activity.ts';
import {JobRunner} from '../../../source/service/jobs/job-runner.ts';
import {JobLinks} from '../../../source/service/jobs/records/job-links.ts';
import {JobStore} from '../../../source/service/jobs/records/job-store.ts';
import {ModelStore} from '../../../source/service/jobs/records/model-store.ts';
import {usualTiming} from '../../../source/service/jobs/timing.ts';
import {localTrainer} from '../../../source/service/jobs/trainers/local.ts';
import {rehearsalTrainer} from '../../../source/service/jobs/trainers/rehearsal.ts';
import {Trainers} from '../../../source/service/jobs/trainers/trainer.ts';

/**
 * Runs the jobs of the lake named on the command line, and is killed once the trainer of the job named behind it is
 * written down, before that may begin.
 */
const [lakeFolder = '', jobId = ''] = process.argv.slice(2);
const database = openOperations(path.resolve(lakeFolder));
const store = new JobStore(database, job => {
	if (job.jobId === jobId && job.run !== null) process.kill(process.pid, 'SIGKILL');
});
const activity = new Activity({graceMs: Number.POSITIVE_INFINITY, onIdle: () => undefined});
new JobRunner({
	lakeFolder,
	store,
	models: new ModelStore(database, new JobLinks(database)),
	activity,
	log: () => undefined,
	timing: usualTiming(),
	trainers: new Trainers(localTrainer(), rehearsalTrainer()),
}).pump();
