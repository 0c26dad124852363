import * as z from 'zod';
import type {Endpoint} from './endpoints.ts';
import {
	jobLog,
	jobLogQuery,
	localJob,
	localTrainer,
	trainerEnvironment,
	trainerOptions,
} from './local-jobs.ts';
import {localMachine} from './local-machine.ts';
import {uuid} from './scalars.ts';

const own = 'ARCHITECTURE.md';
const path = '/local/v1/jobs/{job_id}';
const parameters = z.strictObject({job_id: uuid});

/** What only the embedded service can be asked of a job, and of the trainer that it would run on. */
export const localJobEndpoints = {
	localJob: {
		section: own,
		method: 'GET',
		path,
		key: 'required',
		repeatable: true,
		parameters,
		response: localJob,
	},
	jobLog: {
		section: own,
		method: 'GET',
		path: `${path}/log`,
		key: 'required',
		repeatable: true,
		parameters,
		query: jobLogQuery,
		response: jobLog,
	},
	stopJob: {
		section: own,
		method: 'POST',
		path: `${path}/stop`,
		key: 'required',
		repeatable: false,
		parameters,
		response: localJob,
	},
	restartJob: {
		section: own,
		method: 'POST',
		path: `${path}/restart`,
		key: 'required',
		repeatable: false,
		parameters,
		response: localJob,
	},
	machine: {
		section: own,
		method: 'GET',
		path: '/local/v1/machine',
		key: 'required',
		repeatable: true,
		response: localMachine,
	},
	trainer: {
		section: own,
		method: 'GET',
		path: '/local/v1/trainer',
		key: 'required',
		repeatable: true,
		response: localTrainer,
	},
	trainerEnvironment: {
		section: own,
		method: 'POST',
		path: '/local/v1/trainer/environment',
		key: 'required',
		repeatable: true,
		body: trainerEnvironment,
		response: localTrainer,
	},
	trainerOptions: {
		section: own,
		method: 'GET',
		path: '/local/v1/trainer/options',
		key: 'required',
		repeatable: true,
		response: trainerOptions,
	},
} as const satisfies Record<string, Endpoint>;
