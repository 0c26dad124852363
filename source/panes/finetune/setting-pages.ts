import {keySentence, keyWords} from '../../components/key-words.ts';
import {needsModel} from '../../contract/hyperparameters.ts';
import {finetuneLimits as limits} from '../../contract/limits.ts';
import {choiceOf, type ImageKeys, nextChoice, slotsFor, suggested} from '../../store/finetune/cameras.ts';
import {type Draft, reachOf} from '../../store/finetune/draft.ts';
import {cameraSaid, hyperparameterTyped, moreShown, redrafted} from '../../store/finetune/finetune-form.ts';
import {printValue} from '../../store/finetune/request.ts';
import {counted} from '../../terminal/quantity.ts';
import {askedRows, type FormRow, type Page, problemAt, words} from './form-page.ts';

export function cameraRows(page: Page): readonly FormRow[] {
	const {controller, state, known, keyOf} = page;
	const {draft} = state.form;
	const {vlaType} = draft;
	if (vlaType === undefined) return [words('Camera slots depend on the VLA type: choose it first.')];
	const again = () => controller.facts.follow(draft);
	const rows = (images: ImageKeys): readonly FormRow[] => {
		const offered = suggested(vlaType, images.keys);
		const slots = slotsFor(draft, images.keys);
		if (slots.length === 0) return [words('The dataset has no image key: nothing to map.')];
		return [
			...slots.map((slot): FormRow => {
				const choice = choiceOf(draft, slot, offered);
				const isConfirmed = choice?.isConfirmed ?? false;
				const shape = choice?.key ? images.shapes.get(choice.key) : undefined;
				const offer =
					choice === undefined
						? keyWords(keyOf, [['launch.turn', 'chooses']])
						: ['offered', ...keyWords(keyOf, [['launch.enter', 'confirms']])];
				return {
					kind: 'cycle',
					id: `camera_mappings.${slot}`,
					label: slot,
					value: choice === undefined ? 'choose one' : (choice.key ?? 'unused'),
					aside: isConfirmed ? (shape ?? '') : offer.join(': '),
					isConfirmed,
					problem: problemAt(page, `camera_mappings.${slot}`),
					turn: by => controller.change(form => cameraSaid(form, slot, nextChoice(images.keys, choice, by))),
					enter:
						choice === undefined
							? undefined
							: () => controller.change(form => cameraSaid(form, slot, {...choice, isConfirmed: true})),
				};
			}),
			...sharedCameras(slots.map(slot => ({slot, key: choiceOf(draft, slot, offered)?.key}))),
			words(
				`Confirm each slot. ${keySentence(keyOf, [['launch.turn', 'cycles through the image keys and unused']])}`,
			),
		];
	};
	return askedRows(known.images, "the dataset's image keys", rows, again);
}

/** A camera in several slots is allowed, and seldom meant. */
function sharedCameras(
	chosen: readonly {readonly slot: string; readonly key: string | null | undefined}[],
): readonly FormRow[] {
	const byKey = Map.groupBy(
		chosen.filter(({key}) => key != null),
		({key}) => key,
	);
	return [...byKey].flatMap(([key, slots]) =>
		slots.length < 2
			? []
			: [words(`${key} is in ${slots.map(({slot}) => slot).join(' and ')}: is that intended?`, 'warning')],
	);
}

type TextField =
	| 'name'
	| 'hours'
	| 'batchSize'
	| 'rewardModel'
	| 'headMode'
	| 'sarmKey'
	| 'instanceType'
	| 'region';

/** How far the hours go, where finished jobs tell how fast that is here. */
function hoursAside({state, jobs}: Page): string {
	const reach = reachOf(state.form.draft, jobs);
	if (reach === undefined) return `more than ${limits.hours.above}, up to ${limits.hours.max}`;
	const {epochs, rate, jobs: count} = reach;
	const rounded = (value: number, digits: number) => String(Number(value.toPrecision(digits)));
	return `about ${rounded(epochs, 2)} epochs at ${rounded(rate, 3)} steps a second, as ${counted(count, 'job')} here did`;
}

/** The trainers to choose from, where the service has several. */
function trainerRows({controller, state, known}: Page): readonly FormRow[] {
	const others = known.trainer?.others ?? [];
	if (others.length === 0) return [];
	const names = ['', 'local', ...others.map(({name}) => name)];
	const chosen = state.form.draft.instanceType.trim();
	const label = {'': "the service's choice", local: 'this machine'}[chosen] ?? chosen;
	const next = names[(names.indexOf(chosen) + 1) % names.length] ?? '';
	return [
		{
			kind: 'cycle',
			id: 'trainer',
			label: 'trainer',
			value: label,
			aside:
				others.find(({name}) => name === chosen)?.message ??
				(chosen === '' ? (known.trainer?.message ?? '') : ''),
			isConfirmed: true,
			problem: undefined,
			turn: () =>
				controller.change(form => redrafted(form, (before): Draft => ({...before, instanceType: next}))),
			enter: undefined,
		},
	];
}

export function trainingRows(page: Page): readonly FormRow[] {
	const {controller, state} = page;
	const {draft, showsMore} = state.form;
	const text = (field: TextField, id: string, label: string, aside: string): FormRow => ({
		kind: 'text',
		id,
		label,
		value: draft[field],
		aside,
		isChanged: false,
		problem: problemAt(page, id),
		set: value =>
			controller.change(form => redrafted(form, (before): Draft => ({...before, [field]: value}))),
		enter: undefined,
	});
	const rewards: FormRow = {
		kind: 'cycle',
		id: 'use_rabc',
		label: 'reward-aware',
		value: draft.usesRewards ? 'yes' : 'no',
		aside: 'reward-aware behaviour cloning',
		isConfirmed: true,
		problem: problemAt(page, 'use_rabc'),
		turn: () =>
			controller.change(form => redrafted(form, before => ({...before, usesRewards: !before.usesRewards}))),
		enter: undefined,
	};
	return [
		...trainerRows(page),
		text('hours', 'hours', 'hours', hoursAside(page)),
		text('batchSize', 'batch_size', 'batch size', `${limits.batchSize.min} to ${limits.batchSize.max}`),
		text('name', 'name', 'name', 'may be empty'),
		{
			kind: 'choice',
			id: 'more',
			label: showsMore ? 'less' : 'more',
			aside: showsMore ? '' : 'reward-aware cloning, instance, region',
			isChosen: false,
			off: undefined,
			enter: () => controller.change(moreShown),
		},
		...(showsMore
			? [
					rewards,
					...(draft.usesRewards
						? [
								text('headMode', 'rabc_head_mode', 'head mode', 'sparse without it; sparse, dense, both'),
								text('rewardModel', 'sarm_reward_model_path', 'reward model', 'a path'),
							]
						: []),
					text('sarmKey', 'sarm_image_observation_key', 'reward camera', 'an image key, for sarm'),
					text('instanceType', 'instance_type', 'instance type', "empty: the service's choice"),
					text('region', 'region', 'region', "empty: the service's choice"),
				]
			: []),
	];
}

export function hyperparameterRows(page: Page): readonly FormRow[] {
	const {controller, state, known} = page;
	const {draft} = state.form;
	if (draft.vlaType === undefined) return [words('Hyperparameters depend on the VLA type: choose it first.')];
	const checked =
		known.checked.state === 'failed'
			? [words(`Not checked by the service: ${known.checked.reason}`, 'warning')]
			: [];
	const isAsked = !needsModel(draft.vlaType) || draft.modelId.trim() !== '';
	const again = isAsked ? () => controller.facts.follow(draft) : undefined;
	const unsaid =
		known.trainer === undefined ? "empty: the service's choice" : 'empty: the hours end the training';
	const rowsOf = ({values, message}: {values: Readonly<Record<string, unknown>>; message: string}) => {
		// The steps have a row of their own: no default of a service tells that there are such.
		const names = new Set(['steps', ...Object.keys(values), ...Object.keys(draft.hyperparameters)]);
		const shown = [...names].map(name => [name, values[name]] as const);
		return [
			words(message),
			...shown.map(([name, value]): FormRow => {
				const usual = value === undefined ? '' : printValue(value);
				const id = `vla_hyper_spec.${name}`;
				const typed = draft.hyperparameters[name];
				return {
					kind: 'text',
					id,
					label: name,
					value: typed ?? usual,
					aside:
						typed === undefined
							? usual === ''
								? unsaid
								: ''
							: usual === ''
								? 'default unknown'
								: `default ${usual}`,
					isChanged: typed !== undefined,
					problem: problemAt(page, id),
					set: text => controller.change(form => hyperparameterTyped(form, name, text, usual)),
					enter: undefined,
				};
			}),
		];
	};
	const rows = askedRows(known.defaults, 'the defaults', rowsOf, again);
	return [
		...checked,
		...rows,
		{
			kind: 'text',
			id: 'vla_hyper_spec',
			label: 'others',
			value: draft.further,
			aside: 'a JSON object, such as {"seed": 7}',
			isChanged: draft.further !== '',
			problem: [...page.problems, ...page.refused].find(
				({field}) => field === 'vla_hyper_spec' || isOther(page, field),
			)?.message,
			set: text => controller.change(form => redrafted(form, before => ({...before, further: text}))),
			enter: undefined,
		},
	];
}

/** A problem about a hyperparameter that has no row of its own. */
function isOther({state, known}: Page, field: string): boolean {
	if (!field.startsWith('vla_hyper_spec.')) return false;
	const name = field.slice('vla_hyper_spec.'.length);
	const defaults = known.defaults.state === 'read' ? known.defaults.value.values : {};
	const hasRow =
		name === 'steps' ||
		Object.hasOwn(defaults, name) ||
		Object.hasOwn(state.form.draft.hyperparameters, name);
	return !hasRow;
}
