import type {Binding} from '../input/binding.ts';
import type {Explorer} from '../store/explorer.ts';
import {overlaid} from '../store/state/transitions.ts';
import {asked} from '../store/state/view-transitions.ts';

const category = 'Anywhere';

/** What can be done in every view: the palette, the messages, calling off what runs, and whether anything may change. */
export function anywhereBindings(explorer: Explorer): readonly Binding[] {
	const newest = () => explorer.work.known.getState().at(-1);
	return [
		{
			keys: [':'],
			action: 'app.palette',
			description: 'command',
			category,
			footer: 85,
			run: () => explorer.update(overlaid('palette')),
		},
		{
			keys: ['!'],
			action: 'app.messages',
			description: 'messages',
			category,
			run: () => explorer.update(overlaid('messages')),
		},
		{
			keys: ['C'],
			action: 'app.cancel-work',
			description: 'call off what runs',
			category,
			footer: 15,
			when: () => newest() !== undefined,
			run() {
				const work = newest();
				if (work === undefined) return;
				const {subject, step, loss, cancel} = work;
				const lines = [`${subject}: ${step}`, loss];
				explorer.update(asked({title: 'Call it off?', lines, yes: 'call it off', agree: cancel}));
			},
		},
		{
			keys: [],
			action: 'launch.draft',
			description: 'go on with the draft of a fine-tune',
			category: 'Launch',
			when: () => explorer.launch.hasDraft,
			run: () => explorer.launch.openDraft(),
		},
		{
			keys: ['W'],
			action: 'app.read-only',
			description: 'read-only, or not',
			category,
			run() {
				if (!explorer.readOnly) {
					explorer.setReadOnly(true);
					const way = {action: 'app.read-only', does: 'takes it back'};
					explorer.notify('info', 'Read-only: nothing is changed any more.', way);
					return;
				}
				const question = {
					title: 'Allow changes?',
					lines: ['Nothing is changed by that alone; what costs or destroys still asks first.'],
					yes: 'allow them',
					agree: () => explorer.setReadOnly(false),
				};
				explorer.update(asked(question));
			},
		},
	];
}
