import type {Binding} from '../../input/binding.ts';
import type {NameCandidate} from '../../query/complete.ts';
import type {NoticeWay} from '../../store/state/notices.ts';
import {
	abandoned,
	added,
	cellMoved,
	choseName,
	committed,
	deleted,
	entered,
	type Form,
	restored,
	rowMoved,
	toggled,
} from './form.ts';

type Open = {
	readonly now: () => Form;
	readonly change: (step: (form: Form) => Form) => void;
	/** Names that match the text in the cell that is typed into. */
	readonly candidates: () => readonly NameCandidate[];
	readonly close: () => void;
	/** Says why a key does nothing. @param addition names the key that adds a comparison */
	readonly explain: (text: string, addition?: NoticeWay) => void;
};

const category = 'Comparisons';

const digits = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '-', '.'];

/** The keys while no cell is typed into. */
export function formBindings({now, change, close, explain}: Open): readonly Binding[] {
	const hasRow = () => now().rows.length > 0;
	const bind = (
		keys: readonly string[],
		action: string,
		description: string,
		step: (form: Form) => Form,
		more: Partial<Binding> = {},
	): Binding => ({
		keys,
		action: `predicates.${action}`,
		description,
		category,
		run: () => change(step),
		...more,
	});
	return [
		bind(['space'], 'toggle', 'on or off', toggled, {footer: 1, when: hasRow}),
		bind(['enter', 'e'], 'edit', 'change the cell', form => entered(form), {footer: 2, when: hasRow}),
		bind(['a'], 'add', 'add', added, {footer: 3}),
		bind(['d', 'x'], 'delete', 'delete', deleted, {footer: 4, when: hasRow}),
		bind(['u'], 'restore', 'undo delete', restored, {footer: 5, when: () => now().deleted !== undefined}),
		{
			keys: ['esc', 'q', 'p'],
			action: 'predicates.close',
			description: 'close',
			category,
			footer: 6,
			run: close,
		},
		bind(['j', 'down'], 'next', 'next row', form => rowMoved(form, 1), {batch: true}),
		bind(['k', 'up'], 'previous', 'previous row', form => rowMoved(form, -1), {batch: true}),
		bind(['l', 'right'], 'cell-right', 'next cell', form => cellMoved(form, 1), {batch: true}),
		bind(['h', 'left'], 'cell-left', 'previous cell', form => cellMoved(form, -1), {batch: true}),
		bind(['tab'], 'cell-next', 'next cell', form => cellMoved(form, 1, true), {batch: true}),
		bind(['shift+tab'], 'cell-before', 'previous cell', form => cellMoved(form, -1, true), {batch: true}),
		{
			keys: digits,
			action: 'predicates.number',
			description: 'edit the number',
			category,
			when: hasRow,
			run(event) {
				const typed = event?.type === 'key' ? event.text : '';
				change(form => entered({...form, cell: 'value'}, typed));
			},
		},
		{
			keys: ['space', 'enter', 'e', 'd', 'x', ...digits],
			action: 'predicates.no-row',
			description: 'why this does nothing',
			category,
			when: () => !hasRow(),
			run: () => explain('There is no comparison yet.', {action: 'predicates.add', does: 'adds one'}),
		},
		{
			keys: ['u'],
			action: 'predicates.nothing-deleted',
			description: 'why this does nothing',
			category,
			when: () => now().deleted === undefined,
			run: () => explain('No comparison was deleted.'),
		},
	];
}

/** The keys that type nothing while a cell is typed into. */
export function cellBindings({now, change, candidates}: Open): readonly Binding[] {
	const chosen = (): NameCandidate | undefined => {
		const {typing, cell} = now();
		if (cell !== 'name' || typing === undefined) return undefined;
		const offered = candidates();
		const isExact = offered.some(({name}) => name === typing.field.text.trim());
		// A part of a name means the first match; a channel that no episode has is taken as it is typed.
		const place = typing.chosen ?? (isExact ? -1 : 0);
		return offered[place];
	};
	const choose = (by: number) => change(form => choseName(form, by, candidates().length));
	return [
		{
			keys: ['enter'],
			action: 'predicates.take',
			description: 'apply',
			category,
			footer: 1,
			run: () => change(form => committed(form, chosen())),
		},
		{
			keys: ['tab'],
			action: 'predicates.take-and-on',
			description: 'apply, next cell',
			category,
			footer: 2,
			run: () =>
				change(form => {
					const taken = committed(form, chosen());
					return taken.typing === undefined ? cellMoved(taken, 1, true) : taken;
				}),
		},
		{
			keys: ['esc'],
			action: 'predicates.leave-cell',
			description: 'cancel',
			category,
			footer: 3,
			run: () => change(abandoned),
		},
		{
			keys: ['down', 'ctrl+n'],
			action: 'predicates.choose-next',
			description: 'choose',
			category,
			footer: 4,
			batch: true,
			when: () => now().cell === 'name',
			run: () => choose(1),
		},
		{
			keys: ['up', 'ctrl+p'],
			action: 'predicates.choose-previous',
			description: 'previous suggestion',
			category,
			batch: true,
			when: () => now().cell === 'name',
			run: () => choose(-1),
		},
	];
}
