import type {Screen} from '../../components/screen.tsx';
import type {Segment} from '../../components/segment.ts';
import {currentTiming, type JobEntry, lastedSeconds} from '../../store/jobs/job-entry.ts';
import type {Stuck} from '../../store/jobs/stuck.ts';
import {timeLeft} from '../../store/jobs/time-left.ts';
import {roughly, statusLook, stuckWords} from './job-words.ts';
import {phaseStrip} from './phase-strip.ts';

const statusWidth = 12;
const lastedWidth = 9;
const projectFrom = 120;
const leftWidth = 13;
const leftFrom = 140;

/** A job in a line: what it is called, its status, its phases, how long it is in the current one, and what is wrong. */
export function jobRow(
	job: JobEntry,
	{width, screen, now, stuck}: {width: number; screen: Screen; now: number; stuck: Stuck | undefined},
): readonly Segment[] {
	const {signs, cell} = screen;
	const nameWidth = Math.min(30, Math.max(10, Math.floor(width / 5)));
	const project = width >= projectFrom ? [' ', cell(job.projectId?.slice(0, 8) ?? '', 8, {role: 'dim'})] : [];
	const warning =
		stuck === undefined ? '' : `${signs.warning} ${stuckWords(stuck, currentTiming(job)?.name).short}`;
	const warningWidth = warning === '' ? 0 : Math.min(warning.length, Math.floor(width / 4)) + 1;
	const {text, role} = statusLook(job, signs);
	const lasted = lastedSeconds(job, now);
	const left = timeLeft(job, now).ofHours;
	const leftWords = left === undefined || left <= 0 ? '' : `${roughly(left)} left`;
	const leftCells = width >= leftFrom ? [' ', cell(leftWords, leftWidth, {align: 'right', role: 'dim'})] : [];
	const columns =
		nameWidth + 1 + statusWidth + (project.length > 0 ? 9 : 0) + 1 + 1 + lastedWidth + warningWidth;
	const used = columns + (leftCells.length > 0 ? leftWidth + 1 : 0);
	const room = Math.max(0, width - used);
	const isRehearsal = job.fields.rehearsal === true ? 'rehearsal ' : '';
	const name = `${isRehearsal}${job.name ?? job.id}`;
	const strip =
		job.timings.length > 0
			? phaseStrip(job.timings, {width: room, screen, now})
			: [cell(job.trouble ?? job.phase ?? '', room, {role: job.trouble === undefined ? 'dim' : 'warning'})];
	return [
		cell(name, nameWidth, {cut: 'middle'}),
		' ',
		cell(text, statusWidth, {role}),
		...project,
		' ',
		...strip,
		' ',
		cell(lasted === undefined ? '' : roughly(lasted), lastedWidth, {align: 'right'}),
		...leftCells,
		...(warning === '' ? [] : [' ', cell(warning, warningWidth - 1, {role: 'warning'})]),
	];
}
