import type {Binding} from '../../input/binding.ts';

/** The field's key for copying a link to what is selected. */
export function copyBinding(name: string, category: string, run: () => void): Binding {
	return {keys: ['y'], action: `${name}.copy`, description: 'copy link', category, batch: true, run};
}
