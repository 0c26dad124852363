import type {KeyOf} from '../../components/key-words.ts';
import type {JobEntry} from '../../store/jobs/job-entry.ts';
import type {LaunchDesk, LaunchState} from '../../store/launch/launch-desk.ts';
import type {LaunchKnown} from '../../store/launch/launch-facts.ts';
import {isAbout} from '../../store/launch/launch-form.ts';
import {type FieldProblem, problemsOf} from '../../store/launch/request.ts';
import type {LaunchRow} from './launch-row.ts';

/** What a page of the form is drawn from. */
export type Page = {
	readonly desk: LaunchDesk;
	readonly state: LaunchState;
	readonly known: LaunchKnown;
	readonly jobs: readonly JobEntry[];
	/** All that is wrong: by the interface, by the service's check, by its refusal. */
	readonly problems: readonly FieldProblem[];
	/** The service can compose datasets. */
	readonly canCompose: boolean;
	readonly keyOf: KeyOf;
};

/** All that speaks against sending the draft as it is. */
export function allProblems(
	desk: LaunchDesk,
	{form}: LaunchState,
	{checked}: LaunchKnown,
): readonly FieldProblem[] {
	const own = problemsOf(form.draft, desk.known());
	const issues = checked.state === 'read' ? checked.value : [];
	const others = [...form.refused, ...issues];
	return [...own, ...others.filter(({field}) => !own.some(each => each.field === field))];
}

/** What is wrong with a field, or with a part of it. */
export function problemAt({problems}: Page, field: string): string | undefined {
	return problems.find(problem => isAbout(problem, field))?.message;
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
	asked: {state: 'reading'} | {state: 'failed'; reason: string} | {state: 'read'; value: Value},
	what: string,
	rows: (value: Value) => readonly LaunchRow[],
): readonly LaunchRow[] {
	if (asked.state === 'reading') return [words(`Reading ${what}.`)];
	return asked.state === 'failed' ? [words(asked.reason, 'bad')] : rows(asked.value);
}
