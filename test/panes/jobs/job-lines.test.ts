import stringWidth from 'string-width';
import {expect, test} from 'vitest';
import {createScreen} from '../../../source/components/screen.tsx';
import {renderLine} from '../../../source/components/segment.ts';
import {signsFor} from '../../../source/components/signs.ts';
import type {LocalMachine} from '../../../source/contract/local-jobs.ts';
import {jobLines} from '../../../source/panes/jobs/job-lines.ts';
import {jobRow} from '../../../source/panes/jobs/job-row.ts';
import {segmentsOf} from '../../../source/panes/list/opened-line.ts';
import {jobEntry} from '../../../source/store/jobs/job-entry.ts';

const drawing = {colour: false, attributes: false, ascii: false};
const screen = createScreen(drawing, signsFor({unicode: true}));
const began = '2026-05-01T10:00:00Z';
const now = Date.parse('2026-05-01T11:30:00Z');

const job = jobEntry('00000000-0000-4000-8000-000000000001', {
	kind: 'fine-tune',
	item: {hours: 2, started_at: began, step: 100, steps: 4000, steps_per_second: 1},
	status: {
		job_id: '00000000-0000-4000-8000-000000000001',
		status: 'running',
		current_phase: 'training',
		phases: [{name: 'training', status: 'in_progress', events: [{timestamp: began}]}],
	},
	launch: {
		jobId: 'j',
		at: now,
		name: 'act on cups',
		dataset: 'local/cups',
		filter: 'task:"Pour the cups"',
		hours: 2,
	},
});

const machine: LocalMachine = {
	disk: {free_bytes: 2 ** 31, total_bytes: 2 ** 40},
	gpus: [
		{
			name: 'NVIDIA RTX A6000',
			busy_percent: 97,
			memory_used_bytes: 40 * 2 ** 30,
			memory_total_bytes: 48 * 2 ** 30,
			temperature: 71,
		},
	],
	gpu_message: null,
};

function shown(width: number, left?: LocalMachine): string {
	const opened = {id: job.id, job: undefined, log: undefined, machine: left};
	const lines = jobLines(job, {width, screen, now, stuck: undefined, usual: new Map(), opened, links: []});
	return lines.map(line => renderLine(segmentsOf(line), width, drawing).trimEnd()).join('\n');
}

test('an opened job shows its time left, its launch and its machine’s free disk and GPUs', () => {
	const text = shown(100, machine);
	expect(text).toMatch(/time in phase +1 h 30 m/);
	expect(text).toMatch(/steps left +1 h 5 m at this rate/);
	expect(text).toMatch(/time left +30 m of its hours, which end before its steps/);
	expect(text).toMatch(/dataset +local\/cups/);
	expect(text).toMatch(/filter +task:"Pour the cups"/);
	expect(text).toMatch(/disk +2\.0 GiB free of 1\.0 TiB/);
	expect(text).toMatch(/GPU +NVIDIA RTX A6000, 97% busy, 40 GiB of 48 GiB, 71 °C/);
});

test('a machine without GPU readings says why, and a hosted service shows no machine', () => {
	const none = {...machine, gpus: [], gpu_message: 'nvidia-smi is not on the PATH of the service.'};
	expect(shown(100, none)).toMatch(/GPU +not known: nvidia-smi is not on the PATH of the service\./);
	expect(shown(100)).not.toMatch(/GPU|disk/);
});

test('a job’s row fills its width exactly, with the time left where there is room', () => {
	for (const width of [40, 79, 119, 139, 160, 199]) {
		const row = renderLine(jobRow(job, {width, screen, now, stuck: undefined}), width, drawing);
		expect(stringWidth(row)).toBe(width);
		expect(row.includes('30 m left')).toBe(width >= 140);
	}
});
