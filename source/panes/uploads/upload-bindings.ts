import type {Binding} from '../../input/binding.ts';
import type {Explorer} from '../../store/explorer.ts';
import {printLink} from '../../store/links/link.ts';
import {edited, overlaid} from '../../store/transitions.ts';
import {retryRefusal, type UploadEntry} from '../../store/uploads/upload-entry.ts';
import {copyBinding} from '../copy-binding.ts';
import {takeInAgain} from './take-in-again.ts';

const category = 'Uploads';

/**
 * What can be done with an entry of the feed, besides opening it.
 *
 * @param entries those on the screen, and the one that is selected, as they were drawn.
 */
export function uploadBindings(
	explorer: Explorer,
	{
		entries,
		selected,
		copy,
	}: {
		entries: readonly UploadEntry[];
		selected: UploadEntry | undefined;
		copy: (text: string, what: string) => void;
	},
): readonly Binding[] {
	const refusal = selected && retryRefusal(selected);
	return [
		{
			keys: ['x'],
			action: 'uploads.dismiss',
			description: 'dismiss',
			category,
			footer: 20,
			when: () => selected !== undefined,
			run() {
				if (selected !== undefined && explorer.mayChange()) void explorer.uploads.dismiss(selected, entries);
			},
		},
		{
			keys: ['R'],
			action: 'uploads.retry',
			description: 'take in again',
			category,
			...(refusal === undefined && {footer: 21}),
			when: () => selected !== undefined,
			run() {
				if (selected === undefined) return;
				if (refusal !== undefined) explorer.notify('warning', refusal);
				else if (explorer.mayChange()) takeInAgain(explorer, selected, copy);
			},
		},
		copyBinding('uploads', category, () => {
			const id = selected?.operationId;
			if (id !== undefined) copy(printLink({kind: 'upload', id}), 'the link to the upload');
		}),
		{
			keys: ['u'],
			action: 'uploads.begin',
			description: 'upload a dataset',
			category,
			footer: 24,
			when: () => explorer.sending.uploader !== undefined,
			run() {
				if (explorer.mayChange()) explorer.update(overlaid('upload'));
			},
		},
		{
			keys: ['f'],
			action: 'uploads.follow',
			description: 'follow an operation',
			category,
			footer: 25,
			run: () => explorer.update(edited({list: 'uploads', what: 'follow'})),
		},
	];
}
