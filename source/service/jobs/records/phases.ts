import type {LocalJobPhase, LocalPhaseEvent} from '../../../contract/local-jobs.ts';

/** The phases of a training, in their order. */
export const trainingPhases = ['provisioning', 'dataset', 'model', 'training', 'saving'] as const;
export type TrainingPhase = (typeof trainingPhases)[number];

/** A job's phases, in their order. Each of these functions gives a new history; none goes back. */
export type PhaseHistory = readonly LocalJobPhase[];

/** How many events a phase keeps: the first, and the newest after it. */
const keptEvents = 200;

const rehearsalMark = 'rehearsal: ';

/** A phase's name in a job's history; a rehearsal's says so itself. */
export function phaseName(phase: TrainingPhase, rehearsal: boolean): string {
	return rehearsal ? `${rehearsalMark}${phase}` : phase;
}

/** The history of a job that has not begun. */
export function pendingPhases(rehearsal: boolean): PhaseHistory {
	return trainingPhases.map(phase => ({
		name: phaseName(phase, rehearsal),
		status: 'pending',
		events: [],
	}));
}

function positionOf(history: PhaseHistory, phase: TrainingPhase): number {
	return history.findIndex(({name}) => name === phase || name === `${rehearsalMark}${phase}`);
}

/** The position of the phase that a job is in: the last that has begun, or the first. */
function currentPosition(history: PhaseHistory): number {
	return Math.max(
		0,
		history.findLastIndex(({status}) => status !== 'pending'),
	);
}

/** Section 2.9's `current_phase`. */
export function currentPhase(history: PhaseHistory): string {
	return history[currentPosition(history)]?.name ?? '';
}

function withEvent(phase: LocalJobPhase, event: LocalPhaseEvent): LocalJobPhase {
	const events = [...phase.events, event];
	const [first, ...rest] = events;
	if (events.length <= keptEvents || !first) return {...phase, events};
	return {...phase, events: [first, ...rest.slice(1 - keptEvents)]};
}

/**
 * A phase begins: those before it are over. Of a phase that has begun before, as after a retry, only the event is
 * noted, and that once a retry.
 */
export function beginPhase(
	history: PhaseHistory,
	phase: TrainingPhase,
	event: LocalPhaseEvent,
): PhaseHistory {
	const at = positionOf(history, phase);
	const current = currentPosition(history);
	const known = history[at]?.events.some(
		({retry_attempt, note}) => retry_attempt === event.retry_attempt && note === event.note,
	);
	return history.map((each, position) => {
		if (position === at) {
			const begun = each.status === 'pending' ? {...each, status: 'in_progress'} : each;
			return known ? begun : withEvent(begun, event);
		}
		if (position < at && position >= current && each.status !== 'failed') {
			return {...each, status: 'completed'};
		}
		return each;
	});
}

/** Something happened in a phase: the one that the job is in, where it is not said. */
export function noteEvent(
	history: PhaseHistory,
	event: LocalPhaseEvent,
	phase?: TrainingPhase,
): PhaseHistory {
	const at = phase ? positionOf(history, phase) : currentPosition(history);
	return history.map((each, position) => (position === at ? withEvent(each, event) : each));
}

/** The job has done all it had to. */
export function completePhases(history: PhaseHistory, event: LocalPhaseEvent): PhaseHistory {
	return history.map((each, position) => {
		const completed = {...each, status: 'completed'};
		return position === history.length - 1 ? withEvent(completed, event) : completed;
	});
}

/** The job ended in the phase that it is in, for the reason that the event notes. */
export function failPhase(history: PhaseHistory, event: LocalPhaseEvent): PhaseHistory {
	const current = currentPosition(history);
	return history.map((each, position) =>
		position === current ? withEvent({...each, status: 'failed'}, event) : each,
	);
}

/** A job that had ended goes on: the phase that failed is in progress again. */
export function reopenPhases(history: PhaseHistory, event: LocalPhaseEvent): PhaseHistory {
	const current = currentPosition(history);
	return history.map((each, position) =>
		position === current ? withEvent({...each, status: 'in_progress'}, event) : each,
	);
}
