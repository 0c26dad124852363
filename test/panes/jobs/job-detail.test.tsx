import {expect, test} from 'vitest';
import {JobDetail} from '../../../source/panes/jobs/job-detail.tsx';
import {listOpenedAt, viewed} from '../../../source/store/state/view-transitions.ts';
import {identity} from '../../hosted-service/identity.ts';
import {explorerOf, until} from '../../store/support.ts';
import {drawn, sizes} from '../../support/drawn.tsx';
import {hosted} from '../../support/hosted.ts';
import {localDocument, recordLocal} from '../../support/recorded-local.ts';

const running = identity('job', 0, 0);
const trained = identity('job', 1, 0);
const at = '2025-03-18T09:00:00Z';

/** What an embedded service said of a job at step 1200 of 5000. */
const ownJob = {
	job_id: running,
	project_id: identity('project', 0, 0),
	use_rabc: false,
	name: 'fold towels',
	vla_type: 'act',
	model_id: null,
	dataset_id: identity('dataset', 0, 0),
	dataset_path: 'local/towels',
	hours: 12,
	batch_size: 8,
	status: 'running',
	current_phase: 'training',
	rehearsal: false,
	message: null,
	step: 1200,
	step_at: at,
	steps: 5000,
	steps_per_second: 2.5,
	created_at: at,
	updated_at: at,
	started_at: at,
	ended_at: null,
	phases: [],
	request: {},
	retries: 0,
	deadline_at: null,
	loss: 0.125,
	checkpoint: null,
	model: null,
	command: [],
	pid: null,
	log: {path: 'log.txt', size: 20},
};

async function shown(id: string, {width, height}: {width: number; height: number}, isLocal = false) {
	const service = await hosted({episodes: 40});
	if (isLocal) {
		recordLocal(service, {
			'/local/v1': localDocument(['jobs', 'machine']),
			'/local/v1/jobs/*': ownJob,
			'/local/v1/jobs/*/log': {
				job_id: id,
				offset: 0,
				next_offset: 20,
				size: 20,
				text: 'step 1200 loss 0.125\n',
			},
			'/local/v1/machine': {
				disk: {free_bytes: 2 ** 30, total_bytes: 2 ** 40},
				gpus: [],
				gpu_message: 'nvidia-smi was not found',
			},
		});
	}
	const explorer = explorerOf(service);
	explorer.update(viewed('jobs'));
	await until(explorer.jobs.known, ({jobs}) => jobs.length === 3);
	explorer.update(listOpenedAt('jobs', id));
	const look = {width, height};
	const pane = drawn(<JobDetail {...look} focused beside={false} />, {
		explorer,
		...look,
		focused: 'jobs-detail',
	});
	return {explorer, pane};
}

test.each(sizes)('$width×$height: a running job shows its phase, its retry and its events', async size => {
	const {pane} = await shown(running, size);
	const rows = await pane.until(/status +● running · training[\s\S]*Events, in/);
	const text = rows.join('\n');
	expect(text).toMatch(/Phases\n.*provisioning.*\n.*training.*1 retry/);
	expect(text).toMatch(/training · retry 1/);
	expect(rows.every(row => row.length <= size.width)).toBe(true);
});

test('a job of this machine shows its step, the end of its log, and that the disk is nearly full', async () => {
	const {pane} = await shown(running, {width: 100, height: 50}, true);
	const text = (await pane.until(/GPU [\s\S]*step 1200 loss 0\.125/)).join('\n');
	expect(text).toMatch(/step +1,200 of 5,000, 2\.500 a second, loss 0\.1250/);
	expect(text).toMatch(/steps left +25 m at this rate/);
	expect(text).toMatch(/disk +1\.0 GiB free of 1\.0 TiB/);
	expect(text).toMatch(/GPU +not known: nvidia-smi was not found/);
	expect(text).toMatch(/Log \(end\)\n +step 1200/);
});

test('enter on the model of a completed job opens the model', async () => {
	const {explorer, pane} = await shown(trained, {width: 100, height: 50});
	await pane.until(/model +acme\/pi05-cups/);
	pane.press('j');
	await pane.until(/▸model +acme\/pi05-cups/);
	pane.press('enter');
	await expect.poll(() => explorer.state.getState().view).toBe('models');
});

test('n and N go to the next job and back, esc closes it', async () => {
	const {explorer, pane} = await shown(running, {width: 80, height: 24});
	await pane.until(/● running/);
	pane.press('n');
	await pane.until(/✗ failed/);
	pane.press('N');
	await pane.until(/● running/);
	pane.press('esc');
	await expect.poll(() => explorer.state.getState().lists.jobs.opened).toBe(false);
});
