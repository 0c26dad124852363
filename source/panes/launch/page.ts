import type {KeyOf} from '../../components/key-words.ts';
import type {JobEntry} from '../../store/jobs/job-entry.ts';
import type {LaunchDesk, LaunchState} from '../../store/launch/launch-desk.ts';
import {type Asked, checkOf, type LaunchKnown} from '../../store/launch/launch-facts.ts';
import {isAbout, stepOf, stillRefused} from '../../store/launch/launch-form.ts';
import {type FieldProblem, problemsOf, requestOf} from '../../store/launch/request.ts';
import type {LaunchRow} from './launch-row.ts';

/** What a page of the form is drawn from. */
export type Page = {
	readonly desk: LaunchDesk;
	readonly state: LaunchState;
	readonly known: LaunchKnown;
	readonly jobs: readonly JobEntry[];
	/** All that keeps it from being sent: by the interface, and by the service's check. */
	readonly problems: readonly FieldProblem[];
	/** What the service said against what was sent last, and which is still so. */
	readonly refused: readonly FieldProblem[];
	/** The service can compose datasets. */
	readonly canCompose: boolean;
	readonly keyOf: KeyOf;
};

/** What speaks against the draft as it is. */
export function allProblems(
	desk: LaunchDesk,
	{form}: LaunchState,
	{checked}: LaunchKnown,
): Pick<Page, 'problems' | 'refused'> {
	const known = desk.known();
	const own = problemsOf(form.draft, known);
	const isOfThese = checked.state === 'read' && checked.value.of === checkOf(form.draft, known.defaults);
	const issues = isOfThese ? checked.value.issues : [];
	return {
		problems: [...own, ...issues.filter(({field}) => !own.some(each => each.field === field))],
		refused: stillRefused(form, requestOf(form.draft, known)),
	};
}

/** What is wrong with a field, or with a part of it. */
export function problemAt({problems, refused}: Page, field: string): string | undefined {
	return [...problems, ...refused].find(problem => isAbout(problem, field))?.message;
}

/** What the service said of a page and no row of it shows: in the service's words, wherever they belong. */
export function refusedRows({refused, state}: Page, rows: readonly LaunchRow[]): readonly LaunchRow[] {
	const {step} = state.form;
	if (step === 'request') return [];
	const shown = new Set(rows.map(row => ('problem' in row ? row.problem : undefined)));
	return refused
		.filter(({field, message}) => stepOf(field) === step && !shown.has(message))
		.map(({message}) => words(`The service refused it: ${message}`, 'bad'));
}

export const words = (
	text: string,
	role: Extract<LaunchRow, {kind: 'words'}>['role'] = 'dim',
): LaunchRow => ({
	kind: 'words',
	text,
	role,
});

/** Rows for what was asked of the service: that it is being read, why it was not, or what it is. */
export function askedRows<Value>(
	asked: Asked<Value>,
	what: string,
	rows: (value: Value) => readonly LaunchRow[],
	again?: () => void,
): readonly LaunchRow[] {
	if (asked.state === 'reading') return [words(`Reading ${what}.`)];
	if (asked.state === 'read') return rows(asked.value);
	const failed = words(asked.reason, 'bad');
	if (again === undefined) return [failed];
	const ask = {kind: 'choice', id: `again.${what}`, label: 'ask again', aside: `for ${what}`} as const;
	return [failed, {...ask, isChosen: false, off: undefined, enter: again}];
}
