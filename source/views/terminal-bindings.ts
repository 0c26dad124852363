import type {Binding} from '../input/binding.ts';
import type {Explorer} from '../store/explorer.ts';
import type {Mouse} from '../terminal/session.ts';

const category = 'Anywhere';

type Hands = {readonly explorer: Explorer; readonly quit: () => void; readonly mouse: Mouse | undefined};

/** The keys about the terminal itself. */
export function terminalBindings({explorer, quit, mouse}: Hands): readonly Binding[] {
	return [
		{
			keys: ['q'],
			action: 'app.quit',
			description: 'quit',
			category,
			footer: 80,
			run: quit,
		},
		{
			keys: ['M'],
			action: 'app.mouse',
			description: 'mouse: terminal or lakescope',
			category,
			when: () => mouse !== undefined,
			run() {
				if (mouse === undefined) return;
				mouse.take(!mouse.isTaken);
				const words = mouse.isTaken
					? 'The mouse scrolls and selects rows here. With shift held, most terminals still select text.'
					: 'The mouse belongs to the terminal, which selects text with it.';
				explorer.notify(
					'info',
					words,
					mouse.isTaken ? undefined : {action: 'app.mouse', does: 'takes it back'},
				);
			},
		},
	];
}
