import type {Binding} from '../input/binding.ts';
import type {Explorer} from '../store/explorer.ts';
import {overlaid} from '../store/state/transitions.ts';
import {asked} from '../store/state/view-transitions.ts';

const category = 'Anywhere';

/** The keys of every view: palette, messages, cancelling work, read-only mode. */
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
			description: 'cancel the running task',
			category,
			footer: 15,
			when: () => newest() !== undefined,
			run() {
				const work = newest();
				if (work === undefined) return;
				const {subject, step, loss, cancel} = work;
				const lines = [`${subject}: ${step}`, loss];
				explorer.update(asked({title: 'Cancel it?', lines, yes: 'cancel it', agree: cancel}));
			},
		},
		{
			keys: [],
			action: 'launch.draft',
			description: 'resume the fine-tune draft',
			category: 'Launch',
			when: () => explorer.finetune.hasDraft,
			run: () => explorer.finetune.openDraft(),
		},
		{
			keys: ['W'],
			action: 'app.read-only',
			description: 'toggle read-only',
			category,
			run() {
				if (!explorer.readOnly) {
					explorer.setReadOnly(true);
					const way = {action: 'app.read-only', does: 'turns it off'};
					explorer.notify('info', 'Read-only: changes are off.', way);
					return;
				}
				const question = {
					title: 'Allow changes?',
					lines: ['This alone changes nothing; costly and destructive actions still ask first.'],
					yes: 'allow',
					agree: () => explorer.setReadOnly(false),
				};
				explorer.update(asked(question));
			},
		},
	];
}
