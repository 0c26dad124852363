import type {Binding} from '../../input/binding.ts';
import {
	type ListExtent,
	type ListPosition,
	movedBy,
	movedTo,
	pagedBy,
} from '../../store/state/list-location.ts';

/** A step through a list: from a position to another, within what there is. */
export type Step = (position: ListPosition, extent: ListExtent) => ListPosition;

/** A step by so many rows. */
export const scrolling =
	(by: number): Step =>
	(position, extent) =>
		movedBy(position, by, extent);

/** A step by so many screens. */
export const screens =
	(by: number): Step =>
	(position, extent) =>
		pagedBy(position, by, extent);

const row =
	(to: number): Step =>
	(position, extent) =>
		movedTo(position, to, extent);

/** The field's keys for walking through a list, the same in every pane. */
const steps: readonly {
	readonly name: string;
	readonly keys: readonly string[];
	readonly step: Step;
	readonly describe: (noun: string) => string;
}[] = [
	{name: 'next', keys: ['j', 'down'], step: scrolling(1), describe: noun => `next ${noun}`},
	{name: 'previous', keys: ['k', 'up'], step: scrolling(-1), describe: noun => `previous ${noun}`},
	{name: 'page-down', keys: ['pagedown', 'ctrl+f'], step: screens(1), describe: () => 'a page down'},
	{name: 'page-up', keys: ['pageup', 'ctrl+b'], step: screens(-1), describe: () => 'a page up'},
	{name: 'half-page-down', keys: ['ctrl+d'], step: screens(0.5), describe: () => 'half a page down'},
	{name: 'half-page-up', keys: ['ctrl+u'], step: screens(-0.5), describe: () => 'half a page up'},
	{name: 'first', keys: ['g', 'home'], step: row(0), describe: noun => `first ${noun}`},
	{name: 'last', keys: ['G', 'end'], step: row(Number.MAX_SAFE_INTEGER), describe: noun => `last ${noun}`},
];

/**
 * Bindings that walk through a list.
 *
 * @param options.name first part of the actions' names: `episodes` gives `episodes.next` and so on.
 * @param options.move takes the step.
 */
export function movementBindings({
	name,
	category,
	noun,
	move,
}: {
	name: string;
	category: string;
	noun: string;
	move: (step: Step) => void;
}): readonly Binding[] {
	return steps.map(({name: step, keys, step: take, describe}) => ({
		keys,
		action: `${name}.${step}`,
		description: describe(noun),
		category,
		batch: true,
		run: () => move(take),
	}));
}
