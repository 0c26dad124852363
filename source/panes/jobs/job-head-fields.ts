import type {Screen} from '../../components/screen.tsx';
import type {LocalMachine, MachineGpu} from '../../contract/local-machine.ts';
import {currentTiming, hasEnded, type JobEntry, lastedSeconds} from '../../store/jobs/job-entry.ts';
import type {OpenedJob} from '../../store/jobs/opened-job.ts';
import {type Stuck, type UsualTimes, usualSeconds} from '../../store/jobs/stuck.ts';
import {timeLeft} from '../../store/jobs/time-left.ts';
import {byteSize, measure, moment} from '../../terminal/quantity.ts';
import type {KnownField} from '../list/detail-field-lines.ts';
import type {OpenedLine} from '../list/opened-line.ts';
import {roughly, statusLook, stuckWords} from './job-words.ts';

export type JobLinesOptions = {
	readonly width: number;
	readonly screen: Screen;
	readonly now: number;
	readonly stuck: Stuck | undefined;
	readonly usual: UsualTimes;
	readonly opened: OpenedJob | undefined;
	/** The lines that lead somewhere. */
	readonly links: readonly OpenedLine[];
};

/** Less than this and the next checkpoint may not fit. */
const scarceBytes = 5 * 2 ** 30;

type Field = KnownField | undefined;

/** What a job is at and how long that may take, what it was launched with, and what its machine has left. */
export function headFields(job: JobEntry, options: JobLinesOptions): readonly KnownField[] {
	const fields = [
		...statusFields(job, options),
		...timeFields(job, options),
		...launchFields(job),
		...(hasEnded(job) ? [] : machineFields(options.opened?.machine)),
	];
	return fields.filter(each => each !== undefined);
}

function statusFields(job: JobEntry, {screen, stuck}: JobLinesOptions): readonly Field[] {
	const {text, role} = statusLook(job, screen.signs);
	const phase = job.phase === undefined ? '' : ` ${screen.signs.separator} ${job.phase}`;
	const rehearsal = 'A rehearsal: it walks the phases without a trainer and yields no model.';
	return [
		{label: 'status', value: `${text}${phase}`, role},
		stuck && {label: '', value: stuckWords(stuck, currentTiming(job)?.name).whole, role: 'warning'},
		job.fields.rehearsal === true ? {label: '', value: rehearsal, role: 'warning'} : undefined,
		job.trouble === undefined ? undefined : {label: 'not newer', value: job.trouble, role: 'warning'},
	];
}

function timeFields(job: JobEntry, {now, usual, opened}: JobLinesOptions): readonly Field[] {
	const isOver = hasEnded(job);
	const lasted = lastedSeconds(job, now);
	const current = currentTiming(job)?.name;
	const usually = current === undefined ? undefined : usualSeconds(job, current, usual);
	const {ofHours, ofSteps} = timeLeft({...job, fields: {...job.fields, ...opened?.job}}, now);
	const {step, steps, steps_per_second: rate, loss} = opened?.job ?? {};
	const of = steps == null ? '' : ` of ${measure(steps)}`;
	const at = rate == null ? '' : `, ${measure(rate)} a second`;
	const lost = loss == null ? '' : `, loss ${measure(loss)}`;
	return [
		lasted === undefined ? undefined : {label: isOver ? 'took' : 'in it for', value: roughly(lasted)},
		usually === undefined || isOver ? undefined : {label: 'usually', value: `${roughly(usually)} here`},
		step == null ? undefined : {label: 'step', value: `${measure(step)}${of}${at}${lost}`},
		ofSteps === undefined ? undefined : {label: 'steps left', value: `${roughly(ofSteps)} at this rate`},
		ofHours === undefined ? undefined : hoursField(ofHours, ofSteps),
	];
}

function hoursField(left: number, ofSteps: number | undefined): KnownField {
	if (left <= 0)
		return {label: 'time left', value: `none: its hours were over ${roughly(-left)} ago`, role: 'warning'};
	const isShort = ofSteps !== undefined && ofSteps > left;
	return {
		label: 'time left',
		value: `${roughly(left)} of its hours${isShort ? ', which end before its steps do' : ''}`,
		...(isShort && {role: 'warning'}),
	};
}

function launchFields({launch}: JobEntry): readonly Field[] {
	if (launch === undefined) return [];
	const {at, dataset, filter} = launch;
	return [
		{label: 'launched', value: `${moment(at)}, from here`},
		dataset === undefined ? undefined : {label: 'dataset', value: dataset},
		filter === undefined
			? undefined
			: {label: 'filter', value: filter === '' ? 'none: the whole lake' : filter},
	];
}

function machineFields(machine: LocalMachine | undefined): readonly Field[] {
	if (machine === undefined) return [];
	const {disk, gpus, gpu_message: message} = machine;
	const free = disk && `${byteSize(disk.free_bytes)} free of ${byteSize(disk.total_bytes)}`;
	return [
		{
			label: 'disk',
			value: free ?? 'cannot be read',
			...(disk && disk.free_bytes < scarceBytes && {role: 'warning'}),
		},
		...gpus.map((gpu, place) => ({label: gpus.length > 1 ? `GPU ${place}` : 'GPU', value: gpuWords(gpu)})),
		gpus.length === 0
			? {label: 'GPU', value: `not known: ${message ?? 'none is told'}`, role: 'dim'}
			: undefined,
	];
}

function gpuWords({
	name,
	busy_percent: busy,
	memory_used_bytes: used,
	memory_total_bytes: total,
	temperature,
}: MachineGpu) {
	return [
		name,
		busy === null ? '' : `${measure(busy)}% busy`,
		used === null || total === null ? '' : `${byteSize(used)} of ${byteSize(total)}`,
		temperature === null ? '' : `${measure(temperature)} °C`,
	]
		.filter(Boolean)
		.join(', ');
}
