import type {Binding} from '../../input/binding.ts';
import {type Step, screens, scrolling} from './movement.ts';

/** The keys for walking through a list where letters are typed: only those that type nothing. */
const steps: readonly {readonly name: string; readonly keys: readonly string[]; readonly step: Step}[] = [
	{name: 'next', keys: ['down', 'ctrl+n', 'tab'], step: scrolling(1)},
	{name: 'previous', keys: ['up', 'ctrl+p', 'shift+tab'], step: scrolling(-1)},
	{name: 'page-down', keys: ['pagedown'], step: screens(1)},
	{name: 'page-up', keys: ['pageup'], step: screens(-1)},
];

/** Bindings that walk through what is listed below a line that is typed. */
export function choosingBindings({
	name,
	category,
	move,
}: {
	name: string;
	category: string;
	move: (step: Step) => void;
}): readonly Binding[] {
	return steps.map(({name: step, keys, step: take}) => ({
		keys,
		action: `${name}.${step}`,
		description: step.replace('-', ' '),
		category,
		batch: true,
		run: () => move(take),
	}));
}
