import type {KeyOf} from '../../components/key-words.ts';
import type {Role} from '../../components/theme.ts';
import type {FieldProblem} from '../../contract/errors.ts';
import type {FinetuneController, FinetuneState} from '../../store/finetune/finetune-controller.ts';
import {checkOf, type Fetched, type FinetuneKnown} from '../../store/finetune/finetune-facts.ts';
import {isAbout, stepOf, stillRefused} from '../../store/finetune/finetune-form.ts';
import {problemsOf, requestOf} from '../../store/finetune/request.ts';
import type {JobEntry} from '../../store/jobs/job-entry.ts';

/** A row of a page of the form, and what keys do in it. */
export type FormRow =
	| {readonly kind: 'words'; readonly text: string; readonly role: Role}
	| {
			readonly kind: 'choice';
			readonly id: string;
			readonly label: string;
			/** Behind the label, dimmed. */
			readonly aside: string;
			readonly isChosen: boolean;
			/** Why it cannot be chosen. */
			readonly off: string | undefined;
			readonly enter: () => void;
	  }
	| {
			readonly kind: 'text';
			readonly id: string;
			readonly label: string;
			readonly value: string;
			readonly aside: string;
			/** Another than it would be by itself. */
			readonly isChanged: boolean;
			readonly problem: string | undefined;
			readonly set: (text: string) => void;
			/** The effect of enter. @default goes to the next row */
			readonly enter: (() => void) | undefined;
	  }
	| {
			readonly kind: 'cycle';
			readonly id: string;
			readonly label: string;
			readonly value: string;
			readonly aside: string;
			readonly isConfirmed: boolean;
			readonly problem: string | undefined;
			readonly turn: (by: 1 | -1) => void;
			/** Confirms what shows. */
			readonly enter: (() => void) | undefined;
	  }
	/** A row that is there to be read and scrolled past. */
	| {
			readonly kind: 'line';
			readonly id: string;
			readonly text: string;
			readonly role: Role;
			readonly enter?: () => void;
	  };

/** A row that the caret can be at. */
export type EnteredRow = Exclude<FormRow, {kind: 'words'}>;

export const isEntered = (row: FormRow): row is EnteredRow => row.kind !== 'words';

/** The row that the caret is at: the one of that id, or what a problem about a part of it points at, or the first. */
export function rowAt(rows: readonly FormRow[], at: string): EnteredRow | undefined {
	const entered = rows.filter(isEntered);
	return (
		entered.find(({id}) => id === at) ??
		entered.find(({id}) => at.startsWith(`${id}.`) || id.startsWith(`${at}.`)) ??
		entered.find(row => row.kind === 'choice' && row.isChosen) ??
		entered[0]
	);
}

/** The data that a page of the form is drawn from. */
export type Page = {
	readonly controller: FinetuneController;
	readonly state: FinetuneState;
	readonly known: FinetuneKnown;
	readonly jobs: readonly JobEntry[];
	/** All that keeps it from being sent: by the interface, and by the service's check. */
	readonly problems: readonly FieldProblem[];
	/** Refusals of the last request whose fields have not changed since. */
	readonly refused: readonly FieldProblem[];
	/** The service can compose datasets. */
	readonly canCompose: boolean;
	readonly keyOf: KeyOf;
};

/** The problems of the draft. */
export function allProblems(
	controller: FinetuneController,
	{form}: FinetuneState,
	{checked}: FinetuneKnown,
): Pick<Page, 'problems' | 'refused'> {
	const known = controller.known();
	const own = problemsOf(form.draft, known);
	const isOfThese = checked.state === 'read' && checked.value.of === checkOf(form.draft, known.defaults);
	const issues = isOfThese ? checked.value.issues : [];
	return {
		problems: [...own, ...issues.filter(({field}) => !own.some(each => each.field === field))],
		refused: stillRefused(form, requestOf(form.draft, known)),
	};
}

/** The problem of a field, or of a part of it. */
export function problemAt({problems, refused}: Page, field: string): string | undefined {
	return [...problems, ...refused].find(problem => isAbout(problem, field))?.message;
}

/** Refusals that belong to a page but to no row of it, in the service's words. */
export function refusedRows({refused, state}: Page, rows: readonly FormRow[]): readonly FormRow[] {
	const {step} = state.form;
	if (step === 'request') return [];
	const shown = new Set(rows.map(row => ('problem' in row ? row.problem : undefined)));
	return refused
		.filter(({field, message}) => stepOf(field) === step && !shown.has(message))
		.map(({message}) => words(`The service refused it: ${message}`, 'bad'));
}

export const words = (text: string, role: Extract<FormRow, {kind: 'words'}>['role'] = 'dim'): FormRow => ({
	kind: 'words',
	text,
	role,
});

/** Rows for what was asked of the service: that it is being read, why it was not, or what it is. */
export function askedRows<Value>(
	asked: Fetched<Value>,
	what: string,
	rows: (value: Value) => readonly FormRow[],
	again?: () => void,
): readonly FormRow[] {
	if (asked.state === 'reading') return [words(`Reading ${what}.`)];
	if (asked.state === 'read') return rows(asked.value);
	const failed = words(asked.reason, 'bad');
	if (again === undefined) return [failed];
	const ask = {kind: 'choice', id: `again.${what}`, label: 'retry', aside: `for ${what}`} as const;
	return [failed, {...ask, isChosen: false, off: undefined, enter: again}];
}
