import type {FieldProblem} from '../../contract/errors.ts';
import type {CameraChoice, Draft} from './draft.ts';

/** The pages of the form, in their order. */
export const steps = [
	'project',
	'dataset',
	'type',
	'cameras',
	'training',
	'hyperparameters',
	'request',
] as const;
export type Step = (typeof steps)[number];

/** The stages of a request. */
export type SendStage =
	| {readonly at: 'editing'}
	/** The outbox of an earlier run is still being read. */
	| {readonly at: 'opening'}
	| {readonly at: 'sending'; readonly isTrial: boolean}
	/** Its answer was lost; the job list is being read. */
	| {readonly at: 'settling'; readonly reason: string}
	/** Its answer was lost, and no such job is listed so far. */
	| {readonly at: 'unknown'; readonly reason: string};

/** A refusal by the service, and the request as it was written, also if a trial of it was sent. */
type Refusal = {
	readonly request: Readonly<Record<string, unknown>>;
	readonly problems: readonly FieldProblem[];
};

/** The form while it is open, and until it is opened again. */
export type FinetuneForm = {
	readonly draft: Draft;
	readonly step: Step;
	/** The row that has the caret, by its id; the first of the page where there is no such row. */
	readonly at: string;
	/** Rarely needed fields show too. */
	readonly showsMore: boolean;
	/** The refusal of the request that was sent last; it does not prevent sending the next. */
	readonly refused: Refusal | undefined;
	readonly stage: SendStage;
};

export function openedForm(draft: Draft, step: Step = 'project'): FinetuneForm {
	return {draft, step, at: '', showsMore: draft.usesRewards, refused: undefined, stage: {at: 'editing'}};
}

/** The page that a field of the request stands on. */
export function stepOf(field: string): Step {
	switch (field.split('.')[0]) {
		case 'project_id':
			return 'project';
		case 'dataset_id':
			return 'dataset';
		case 'vla_type':
		case 'model_id':
			return 'type';
		case 'camera_mappings':
			return 'cameras';
		case 'vla_hyper_spec':
			return 'hyperparameters';
		case '':
			return 'request';
		default:
			return 'training';
	}
}

/** True if a problem is about a field, or about a part of it. */
export const isAbout = ({field}: FieldProblem, row: string): boolean =>
	field === row || (row !== '' && field.startsWith(`${row}.`));

export function stepGone(form: FinetuneForm, step: Step): FinetuneForm {
	return form.step === step ? form : {...form, step, at: ''};
}

/** The page after this one; a dataset that is chosen already, and a project, are not asked for again. */
export function stepForward(form: FinetuneForm): FinetuneForm {
	const {project, dataset} = form.draft;
	if (form.step === 'dataset' && project === undefined) return stepGone(form, 'project');
	if (form.step === 'project' && dataset !== undefined) return stepGone(form, 'type');
	return stepGone(form, steps[Math.min(steps.indexOf(form.step) + 1, steps.length - 1)] ?? 'request');
}

/** The page before; undefined before the first. */
export function stepBack(form: FinetuneForm): FinetuneForm | undefined {
	const before = steps[steps.indexOf(form.step) - 1];
	return before === undefined ? undefined : stepGone(form, before);
}

/** Goes to a row of its page. */
export function rowGone(form: FinetuneForm, at: string): FinetuneForm {
	return form.at === at ? form : {...form, at};
}

/** Goes to where a problem is. */
export function problemGone(form: FinetuneForm, {field}: FieldProblem): FinetuneForm {
	const step = stepOf(field);
	const isMore = step === 'training' && !['hours', 'batch_size', 'name'].includes(field);
	return {...form, step, at: field, showsMore: form.showsMore || isMore};
}

/** Changes the draft. */
export function redrafted(form: FinetuneForm, change: (draft: Draft) => Draft): FinetuneForm {
	const draft = change(form.draft);
	return draft === form.draft ? form : {...form, draft};
}

export function cameraSaid(form: FinetuneForm, slot: string, choice: CameraChoice): FinetuneForm {
	const said = (draft: Draft) => ({...draft, cameras: {...draft.cameras, [slot]: choice}});
	return redrafted(form, said);
}

/** Another value of a hyperparameter; its default again where that is what was typed. */
export function hyperparameterTyped(
	form: FinetuneForm,
	name: string,
	text: string,
	usual: string,
): FinetuneForm {
	return redrafted(form, draft => {
		const {[name]: _, ...others} = draft.hyperparameters;
		return {...draft, hyperparameters: text === usual ? others : {...others, [name]: text}};
	});
}

export function moreShown(form: FinetuneForm): FinetuneForm {
	return {...form, showsMore: !form.showsMore};
}

export function staged(form: FinetuneForm, stage: SendStage): FinetuneForm {
	return {...form, stage};
}

/** The service said no: the form is back as it was, at the first field that it spoke of, with its words. */
export function refusedBy(form: FinetuneForm, refused: Refusal): FinetuneForm {
	const back: FinetuneForm = {...form, stage: {at: 'editing'}, refused};
	const [first] = refused.problems;
	return first === undefined ? back : problemGone(back, first);
}

/** A service's problem with a field depends on these too. */
const alwaysMeant = ['dataset_id', 'vla_type'];

/** The problems that still apply: a problem belongs to the value that was sent, and goes when that changes. */
export function stillRefused(
	{refused}: FinetuneForm,
	request: Readonly<Record<string, unknown>>,
): readonly FieldProblem[] {
	if (refused === undefined) return [];
	const isAsSent = (field: string) => {
		const values = [request, refused.request].map(each => valueAt(each, field));
		const isPartOfIt = values.some(value => value !== undefined);
		const [now, sent] = isPartOfIt ? values : [request, refused.request];
		return JSON.stringify(now) === JSON.stringify(sent);
	};
	return refused.problems.filter(({field}) => [field, ...alwaysMeant].every(isAsSent));
}

/** The value of a request at a field: at `vla_hyper_spec.steps` the steps, or all of them if it has none. */
function valueAt(request: Readonly<Record<string, unknown>>, field: string): unknown {
	const [whole = '', ...rest] = field.split('.');
	const value = request[whole];
	const part = rest.join('.');
	return typeof value === 'object' && value !== null && Object.hasOwn(value, part)
		? (value as Readonly<Record<string, unknown>>)[part]
		: value;
}
