import type {Signs} from '../../components/signs.ts';
import type {Role} from '../../components/theme.ts';
import type {JobEntry} from '../../store/jobs/job-entry.ts';
import type {Stuck} from '../../store/jobs/job-faults.ts';
import {span} from '../../terminal/quantity.ts';

type Look = {readonly text: string; readonly role: Role};

/** A status with a sign that says it without colour. */
export function statusLook({status, trouble}: JobEntry, signs: Signs): Look {
	switch (status) {
		case undefined:
			return trouble === undefined
				? {text: `${signs.ring} loading`, role: 'dim'}
				: {text: `${signs.warning} unknown`, role: 'warning'};
		case 'completed':
			return {text: `${signs.yes} completed`, role: 'good'};
		case 'failed':
			return {text: `${signs.no} failed`, role: 'bad'};
		case 'cancelled':
			return {text: `${signs.no} cancelled`, role: 'dim'};
		case 'queued':
			return {text: `${signs.ring} queued`, role: 'accent'};
		case 'running':
			return {text: `${signs.dot} running`, role: 'accent'};
		default:
			return {text: `${signs.partly} ${status}`, role: 'accent'};
	}
}

/** A phase's status in one sign. */
export function phaseSign(status: string, signs: Signs): string {
	if (status === 'completed') return signs.yes;
	if (status === 'failed') return signs.no;
	if (status === 'in_progress') return signs.dot;
	return status === 'pending' ? signs.ring : signs.partly;
}

export function phaseRole(status: string): Role {
	if (status === 'completed') return 'good';
	if (status === 'failed') return 'bad';
	return status === 'pending' ? 'dim' : 'accent';
}

/** How often it was begun again, behind what that is said of; empty where never. */
export function retryWords(retries: number): string {
	if (retries === 0) return '';
	return retries === 1 ? ', 1 retry' : `, ${retries} retries`;
}

const longHours = 100;

/** Without what says nothing at this length: `40 s`, `38 m`, `2 h 10 m`, `12 d`. */
export function roughly(seconds: number): string {
	if (seconds < 60) return `${Math.round(seconds)} s`;
	if (seconds < 3600) return `${Math.round(seconds / 60)} m`;
	return seconds < longHours * 3600 ? span(seconds) : `${Math.floor(seconds / 86_400)} d`;
}

/** Why a job is probably stuck: short for a row, and whole. */
export function stuckWords(
	{what, seconds, usualSeconds}: Stuck,
	phase: string | undefined,
): {short: string; whole: string} {
	const time = roughly(seconds);
	switch (what) {
		case 'no-step':
			return {
				short: `no step ${time}`,
				whole: `Probably stuck: no training step for ${time}.`,
			};
		case 'past-its-hours':
			return {short: `${time} over`, whole: `Probably stuck: its time limit passed ${time} ago.`};
		case 'long-phase':
			return {
				short: `long ${phase ?? 'phase'}`,
				whole: `Probably stuck: in ${phase ?? 'this phase'} for ${time}; the usual time here is ${roughly(usualSeconds ?? 0)}.`,
			};
		case 'long-queue':
			return {short: `queued ${time}`, whole: `Queued for ${time}.`};
	}
}
