import type {Role} from '../../components/style.ts';

/** A row of a page of the form, and what keys do in it. */
export type LaunchRow =
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
			/** What enter does; without it, it goes on to the next row. */
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
export type EnteredRow = Exclude<LaunchRow, {kind: 'words'}>;

export const isEntered = (row: LaunchRow): row is EnteredRow => row.kind !== 'words';

/** The row that the caret is at: the one of that id, or what a problem about a part of it points at, or the first. */
export function rowAt(rows: readonly LaunchRow[], at: string): EnteredRow | undefined {
	const entered = rows.filter(isEntered);
	return (
		entered.find(({id}) => id === at) ??
		entered.find(({id}) => at.startsWith(`${id}.`) || id.startsWith(`${at}.`)) ??
		entered.find(row => row.kind === 'choice' && row.isChosen) ??
		entered[0]
	);
}
