import {readFileSync} from 'node:fs';
import {setTimeout as delay} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {createRandom} from '../../source/sample/random.ts';
import type {JoinedService} from '../../source/service/front-door.ts';
import {processesOver} from '../service/support/service-home.ts';
import {ended, started, trainingHome, until} from '../service/support/training-home.ts';

const rounds = process.env.LAKESCOPE_SOAK === '1' ? 60 : 4;

const home = trainingHome();

test(
	`a service killed at ${rounds} random points of a training loses nothing and trains nothing twice`,
	async () => {
		const lake = home.lake();
		const random = createRandom('job crash');
		let service: JoinedService = await home.serve({lake});
		for (let round = 0; round < rounds; round++) {
			const jobId = await started(service);
			// The point is random: nothing that could be waited for tells of it.
			const ms = random.next() * 700;
			await delay(ms);
			process.kill(service.pid, 'SIGKILL');
			await expect.poll(() => processesOver(`--lake\0${lake}\0`)).toEqual([]);
			service = await home.serve({lake});
			const job = await until(service, jobId, ended);
			const point = `round ${round}, killed ${ms.toFixed(0)} ms after the job was ordered: ${JSON.stringify(job.phases)}`;
			expect(job, point).toMatchObject({status: 'completed', step: 40, checkpoint: {step: 40}, retries: 0});
			const log = readFileSync(job.log.path, 'utf8');
			expect(log.match(/End of training/g)).toHaveLength(1);
			expect(log.match(/step:\d+ /g)).toHaveLength(8);
		}
	},
	rounds * 10_000,
);
