import {mkdir, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {programHome} from '../commands/support/program.ts';
import {type HostedService, startHostedService} from '../hosted-service/server.ts';
import {explore, isFresh} from './support.ts';

const home = programHome();

async function configured(config: object): Promise<void> {
	const folder = path.join(home.env.XDG_CONFIG_HOME ?? '', 'lakescope');
	await mkdir(folder, {recursive: true});
	await writeFile(path.join(folder, 'config.json'), JSON.stringify(config));
}

async function serviceOfTest(): Promise<HostedService> {
	const service = await startHostedService({episodes: 20});
	onTestFinished(() => service.close());
	return service;
}

/** Ends the running job of the service, once somebody would notice. */
async function endJob(service: HostedService): Promise<string> {
	const job = [...service.state.jobs.values()].find(({status}) => status === 'running');
	if (job === undefined) throw new Error('no job runs');
	await expect
		.poll(() => service.requests.some(({path: asked}) => asked.endsWith(job.job_id)), {timeout: 20_000})
		.toBe(true);
	job.status = 'completed';
	service.state.events.publish({data: {job_id: job.job_id, status: 'completed'}});
	return job.job_id;
}

const esc = '\u001b';
const bel = '\u0007';

/** How often the bell rang: where it ends a sequence (OSC), it does not ring. */
const bells = (output: string) =>
	output
		.split(bel)
		.slice(0, -1)
		.filter(text => {
			const begun = text.lastIndexOf(`${esc}]`);
			return begun < 0 || text.indexOf(`${esc}\\`, begun) >= 0;
		}).length;

/** What the terminal was called, one after the other. */
const titles = (output: string) =>
	output
		.split(`${esc}]2;`)
		.slice(1)
		.map(text => text.split(bel)[0]);

test('if configured, the bell rings when a job ends in another view, and the terminal title shows it and is restored', async () => {
	const service = await serviceOfTest();
	await configured({bell: true, title: true});
	const explorer = explore(home, [], {cols: 100, rows: 24, service});
	await explorer.until(screen => isFresh(screen) && screen.text.includes('● live'), 'the lake, live');
	await expect
		.poll(() => titles(explorer.output()).at(-1), {timeout: 20_000})
		.toMatch(/^lakescope .*: \d under way$/);
	expect(bells(explorer.output())).toBe(0);
	await endJob(service);
	await explorer.untilText('has completed');
	await expect.poll(() => bells(explorer.output()), {timeout: 20_000}).toBe(1);
	explorer.press('q');
	await explorer.untilExit();
	const output = explorer.output();
	expect(output.indexOf('\u001b[22;2t')).toBeGreaterThanOrEqual(0);
	expect(output.lastIndexOf('\u001b[23;2t')).toBeGreaterThan(output.lastIndexOf('\u001b]2;'));
}, 60_000);

test('if not configured, neither the bell nor the title is touched', async () => {
	const service = await serviceOfTest();
	await configured({});
	const explorer = explore(home, [], {cols: 100, rows: 24, service});
	await explorer.until(screen => isFresh(screen) && screen.text.includes('● live'), 'the lake, live');
	await endJob(service);
	await explorer.untilText('has completed');
	explorer.press('q');
	await explorer.untilExit();
	expect(bells(explorer.output())).toBe(0);
	expect(titles(explorer.output())).toEqual([]);
	expect(explorer.output()).not.toContain(`${esc}[22;2t`);
}, 60_000);
