import type {Binding} from '../../input/binding.ts';
import type {Explorer} from '../../store/explorer.ts';
import type {Decision} from '../../store/reviews/review-controller.ts';
import {isNothing} from '../../store/selection/selection.ts';
import {onNewest} from './on-newest.ts';

const category = 'Review';

type Reviewing = {
	/** Goes on to the next row, where there are rows. */
	readonly next?: () => void;
	/** The service takes no marks: they are kept on this machine. */
	readonly isHere: boolean;
};

/** The keys that mark episodes as kept or rejected. */
export function reviewBindings(explorer: Explorer, {next, isHere}: Reviewing): readonly Binding[] {
	const {reviews, undo} = explorer;
	const where = isHere ? ', here only' : '';
	const mark = (decision: Decision) => () => {
		const {selection, filter, range} = explorer.state.getState();
		if (range !== undefined) {
			void explorer.selection.takeRange().then(() => reviews.mark(decision));
			return;
		}
		void reviews.mark(decision);
		// Where a mark takes the row out of the result, the next one comes by itself.
		if (isNothing(selection) && filter.review === undefined && !explorer.readOnly) next?.();
	};
	const marks: readonly Binding[] = [
		{
			keys: ['-'],
			action: 'review.reject',
			description: `reject${where}`,
			hint: 'reject',
			category,
			footer: 12,
			batch: true,
			run: mark('rejected'),
		},
		{
			keys: ['+'],
			action: 'review.keep',
			description: `keep${where}`,
			hint: 'keep',
			category,
			footer: 13,
			batch: true,
			run: mark('human_audited'),
		},
	];
	return [
		...onNewest(explorer, marks),
		{
			keys: ['u'],
			action: 'review.undo',
			description: 'undo the last mark or dropped selection',
			hint: 'undo',
			category,
			footer: 14,
			when: () => undo.canUndo,
			batch: true,
			run: () => void undo.undo(),
		},
	];
}
