import type {Binding} from '../../input/binding.ts';
import type {Explorer} from '../../store/explorer.ts';
import {edited} from '../../store/transitions.ts';
import type {UploadEntry} from '../../store/uploads/upload-entry.ts';
import {copyBinding} from '../copy-binding.ts';

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
		copyBinding('uploads', category, () => {
			if (selected?.operationId !== undefined) copy(selected.operationId, 'the id of the operation');
		}),
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
