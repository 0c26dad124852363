import type {FieldProblem} from '../../contract/errors.ts';
import type {Binding} from '../../input/binding.ts';
import type {FinetuneController} from '../../store/finetune/finetune-controller.ts';
import {rowGone, stepBack, stepForward} from '../../store/finetune/finetune-form.ts';
import {type EnteredRow, type FormRow, isEntered, rowAt} from './form-page.ts';

type Open = {
	readonly controller: FinetuneController;
	/** The rows as they are now: keys of one burst arrive before the next frame. */
	readonly rows: () => readonly FormRow[];
	/** The problems that keep the request from being sent. */
	readonly problems: () => readonly FieldProblem[];
	readonly arrived: (jobId: string) => void;
	readonly copy: (text: string, what: string) => void;
	/** Frames of the cameras show. */
	readonly showsFrames: () => boolean;
};

const category = 'Launch';

const nothingToTake = 'This line is read-only.';

/** The keys of the form. */
export function finetuneBindings({
	controller,
	rows,
	problems,
	arrived,
	copy,
	showsFrames,
}: Open): readonly Binding[] {
	const form = () => controller.state.getState().form;
	const row = () => rowAt(rows(), form().at);
	const isEditing = () => form().stage.at === 'editing';
	const isLeft = () => ['unknown', 'opening'].includes(form().stage.at);
	const canLaunch = () => form().step === 'request' && isEditing() && problems().length === 0;
	const whyNot = () => {
		if (form().step !== 'request') return 'Launch from the last page, which shows the request.';
		const [{field, message}, ...others] = problems() as [FieldProblem, ...FieldProblem[]];
		const first = field === '' ? message : `${field}: ${message}`;
		return `Nothing was sent. ${first}${others.length === 0 ? '' : `, and ${others.length} more`}`;
	};
	const move = (by: number) => {
		const entered = rows().filter(isEntered);
		const at = entered.findIndex(each => each.id === row()?.id);
		const to = entered.at((at + by) % entered.length);
		if (to !== undefined) controller.change(before => rowGone(before, to.id));
	};
	const isLast = (each: EnteredRow) => rows().filter(isEntered).at(-1)?.id === each.id;
	const goOn = (each: EnteredRow) => {
		if (isLast(each)) controller.change(stepForward);
		else move(1);
	};
	const enter = () => {
		const at = row();
		if (at === undefined) return controller.change(stepForward);
		if (at.kind === 'choice') return at.off === undefined ? at.enter() : controller.explain(at.off);
		if (at.kind === 'line') return at.enter === undefined ? controller.explain(nothingToTake) : at.enter();
		if (at.kind === 'text') return at.enter === undefined ? goOn(at) : at.enter();
		at.enter?.();
		goOn(at);
	};
	const takesEnter = () => {
		const at = row();
		return at?.kind !== 'line' || at.enter !== undefined;
	};
	const turn = (by: 1 | -1) => {
		const at = row();
		if (at?.kind === 'cycle') at.turn(by);
	};
	const isTurning = () => isEditing() && row()?.kind === 'cycle';
	const canShowFrames = () => isEditing() && form().step === 'cameras' && row()?.kind === 'cycle';
	return [
		{
			keys: ['y'],
			action: 'launch.send',
			description: 'launch',
			category,
			footer: 1,
			when: canLaunch,
			run: () => void controller.launch({isTrial: false}, arrived),
		},
		{
			keys: ['t'],
			action: 'launch.trial',
			description: 'short trial first',
			category,
			footer: 2,
			when: canLaunch,
			run: () => void controller.launch({isTrial: true}, arrived),
		},
		{
			keys: ['c'],
			action: 'launch.copy-line',
			description: 'copy lerobot-train line',
			category,
			footer: 11,
			when: canLaunch,
			run: () => controller.copyLine(copy),
		},
		{
			keys: ['y', 't', 'c'],
			action: 'launch.why-not',
			description: 'why it cannot launch yet',
			category,
			when: () => isEditing() && !canLaunch(),
			run: () => controller.explain(whyNot()),
		},
		{
			keys: ['r'],
			action: 'launch.settle',
			description: 'refresh the job list',
			category,
			footer: 1,
			when: () => form().stage.at === 'unknown',
			run: () => void controller.sending.settle(arrived),
		},
		{
			keys: ['b'],
			action: 'launch.edit',
			description: 'back to the fields',
			category,
			footer: 2,
			when: () => form().stage.at === 'unknown',
			run: () => controller.sending.edit(),
		},
		{
			keys: ['enter'],
			action: 'launch.enter',
			description: 'next',
			category,
			footer: 3,
			when: () => isEditing() && takesEnter(),
			run: enter,
		},
		{
			keys: ['enter'],
			action: 'launch.nothing',
			description: 'nothing to select',
			category,
			when: () => isEditing() && !takesEnter(),
			run: enter,
		},
		{
			keys: ['space', 'right'],
			action: 'launch.turn',
			description: 'another',
			category,
			footer: 4,
			when: isTurning,
			run: () => turn(1),
		},
		{
			keys: ['left'],
			action: 'launch.turn-back',
			description: 'previous value',
			category,
			when: isTurning,
			run: () => turn(-1),
		},
		{
			keys: ['i'],
			action: 'launch.frames',
			description: 'camera preview',
			category,
			footer: 10,
			when: canShowFrames,
			run: () => controller.frames.setOn(!showsFrames()),
		},
		{
			keys: ['i'],
			action: 'launch.no-frames',
			description: 'why there is no camera preview',
			category,
			when: () => isEditing() && !canShowFrames(),
			run: () =>
				controller.explain('The camera preview is on the cameras page, for the slot at the pointer.'),
		},
		{
			keys: ['space', 'left', 'right'],
			action: 'launch.no-values',
			description: 'why there is no other value',
			category,
			when: () => isEditing() && row()?.kind !== 'cycle' && row()?.kind !== 'text',
			run: () => controller.explain('This row has no other values to turn through.'),
		},
		{
			keys: ['j', 'down', 'tab'],
			action: 'launch.next',
			description: 'next row',
			category,
			footer: 6,
			when: isEditing,
			run: () => move(1),
		},
		{
			keys: ['k', 'up', 'shift+tab'],
			action: 'launch.previous',
			description: 'previous row',
			category,
			when: isEditing,
			run: () => move(-1),
		},
		{
			keys: ['pagedown', 'ctrl+n'],
			action: 'launch.page-on',
			description: 'next page',
			category,
			footer: 7,
			when: isEditing,
			run: () => controller.change(stepForward),
		},
		{
			keys: ['esc', 'pageup', 'ctrl+p'],
			action: 'launch.back',
			description: 'previous page, close',
			category,
			footer: 5,
			when: () => isEditing() || isLeft(),
			run() {
				const before = isEditing() ? stepBack(form()) : undefined;
				if (before === undefined) controller.close();
				else controller.change(() => before);
			},
		},
		{
			keys: ['ctrl+x', 'q'],
			action: 'launch.close',
			description: 'close, keep the draft',
			category,
			footer: 8,
			when: () => isEditing() || isLeft(),
			run: () => controller.close(),
		},
		{
			keys: ['ctrl+r'],
			action: 'launch.clear',
			description: 'start over',
			category,
			footer: 9,
			when: isEditing,
			run: () => controller.clear(),
		},
	];
}
