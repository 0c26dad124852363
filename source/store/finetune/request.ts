import {boundSentence} from '../../client/bound-sentence.ts';
import type {FieldProblem} from '../../contract/errors.ts';
import {type FinetuneRequest, finetuneRequest} from '../../contract/finetune.ts';
import {needsModel, saveFreqWithin} from '../../contract/hyperparameters.ts';
import {exactJson} from '../../contract/json-text.ts';
import {choiceOf, type ImageKeys, slotsFor, suggested, unfitReason} from './cameras.ts';
import type {Draft} from './draft.ts';

/** The service's answers that a draft is judged by; undefined if they were not read. */
export type Judging = {
	readonly images: ImageKeys | undefined;
	readonly defaults: Readonly<Record<string, unknown>> | undefined;
};

/** Before the whole of it is tried for longer. */
export const trialHours = 0.05;

const textOf = (text: string) => (text.trim() === '' ? undefined : text.trim());

const numberOf = (text: string) => (text.trim() === '' ? undefined : Number(text));

/** The hyperparameters that are sent: those that were changed, and those that were given besides. */
export function hyperparametersOf(draft: Draft, defaults: Judging['defaults']): Record<string, unknown> {
	const further = readFurtherValues(draft.further);
	const changed = Object.entries(draft.hyperparameters).flatMap(([name, text]) => {
		const read = readValue(text, defaults?.[name]);
		return read.ok ? [[name, read.value] as const] : [];
	});
	return {...(further.ok ? further.values : {}), ...Object.fromEntries(changed)};
}

function mappingOf(draft: Draft, images: ImageKeys | undefined): Record<string, string> {
	return Object.fromEntries(
		slotsFor(draft, images?.keys ?? []).flatMap(slot => {
			const choice = draft.cameras[slot];
			return choice?.isConfirmed && choice.key !== null ? [[slot, choice.key] as const] : [];
		}),
	);
}

/** The request as it would be sent; what is missing or wrong in the draft is so in it. */
export function requestOf(
	draft: Draft,
	facts: Judging,
): {readonly [Field in keyof FinetuneRequest]?: unknown} {
	const hyperparameters = hyperparametersOf(draft, facts.defaults);
	const given = {
		project_id: draft.project?.id,
		dataset_id: draft.dataset?.path,
		vla_type: draft.vlaType,
		model_id: textOf(draft.modelId),
		hours: numberOf(draft.hours),
		batch_size: numberOf(draft.batchSize),
		name: textOf(draft.name),
		camera_mappings: mappingOf(draft, facts.images),
		vla_hyper_spec: Object.keys(hyperparameters).length === 0 ? undefined : hyperparameters,
		use_rabc: draft.usesRewards || undefined,
		rabc_head_mode: draft.usesRewards ? textOf(draft.headMode) : undefined,
		sarm_reward_model_path: draft.usesRewards ? textOf(draft.rewardModel) : undefined,
		sarm_image_observation_key: textOf(draft.sarmKey),
		instance_type: textOf(draft.instanceType),
		region: textOf(draft.region),
	};
	return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** Missing fields, before any bound of the interface is checked. */
function missing(draft: Draft): FieldProblem[] {
	const {project, dataset, vlaType, modelId, hours} = draft;
	return [
		...(project === undefined ? [{field: 'project_id', message: 'choose a project, or create one'}] : []),
		...(dataset === undefined ? [{field: 'dataset_id', message: 'choose a dataset'}] : []),
		...(vlaType === undefined ? [{field: 'vla_type', message: 'choose a VLA type'}] : []),
		...(vlaType !== undefined && needsModel(vlaType) && modelId.trim() === ''
			? [{field: 'model_id', message: `${vlaType} needs a base model`}]
			: []),
		...(hours.trim() === '' ? [{field: 'hours', message: 'enter the most hours it may train'}] : []),
	];
}

function cameraProblems(draft: Draft, images: ImageKeys | undefined): FieldProblem[] {
	const {vlaType, dataset} = draft;
	if (vlaType === undefined || images === undefined) return [];
	const unfit = unfitReason(vlaType, images);
	if (unfit !== undefined) return [{field: 'vla_type', message: unfit}];
	const offered = suggested(vlaType, images.keys);
	return slotsFor(draft, images.keys).flatMap((slot): FieldProblem[] => {
		const field = `camera_mappings.${slot}`;
		const choice = choiceOf(draft, slot, offered);
		if (choice === undefined) return [{field, message: 'choose its camera, or leave it unused'}];
		if (choice.key !== null && !images.keys.includes(choice.key)) {
			const has = images.keys.length === 0 ? 'none' : images.keys.join(', ');
			return [{field, message: `${dataset?.path} has no image key ${choice.key}; its image keys are ${has}`}];
		}
		return choice.isConfirmed ? [] : [{field, message: 'confirm this camera, or choose another'}];
	});
}

function hyperparameterProblems(draft: Draft, defaults: Judging['defaults']): FieldProblem[] {
	const further = readFurtherValues(draft.further);
	const wrong = Object.entries(draft.hyperparameters).flatMap(([name, text]) => {
		const read = readValue(text, defaults?.[name]);
		return read.ok ? [] : [{field: `vla_hyper_spec.${name}`, message: read.reason}];
	});
	return further.ok ? wrong : [...wrong, {field: 'vla_hyper_spec', message: further.reason}];
}

/** The same for a trial of it: a few minutes, in which a first checkpoint is written too. */
export function trialOf(request: FinetuneRequest): FinetuneRequest {
	const hours = Math.min(trialHours, request.hours);
	const {save_freq} = request.vla_hyper_spec ?? {};
	const most = saveFreqWithin(hours);
	if (typeof save_freq !== 'number' || save_freq <= most) return {...request, hours};
	return {...request, hours, vla_hyper_spec: {...request.vla_hyper_spec, save_freq: most}};
}

/** All that is wrong with a draft, as far as it can be told before anything is sent; one problem a field. */
export function problemsOf(draft: Draft, facts: Judging): readonly FieldProblem[] {
	const own = [
		...missing(draft),
		...cameraProblems(draft, facts.images),
		...hyperparameterProblems(draft, facts.defaults),
	];
	const read = finetuneRequest.safeParse(requestOf(draft, facts));
	const bounds = (read.error?.issues ?? []).map(issue => ({
		field: issue.path.map(String).join('.'),
		message: boundSentence(issue),
	}));
	const told = new Set<string>();
	return [...own, ...bounds].filter(({field}) => {
		if (told.has(field)) return false;
		told.add(field);
		return true;
	});
}

/** A draft's request, whole and within the interface's bounds. @throws a ZodError where it is not: look for problems first */
export function wholeRequest(draft: Draft, facts: Judging): FinetuneRequest {
	const request = requestOf(draft, facts);
	finetuneRequest.parse(request);
	return request as FinetuneRequest;
}

/** A value as it is typed: text as it is, everything else as JSON. */
export function printValue(value: unknown): string {
	return typeof value === 'string' ? value : exactJson(value);
}

type Read = {readonly ok: true; readonly value: unknown} | {readonly ok: false; readonly reason: string};

/**
 * Reads what was typed for a hyperparameter: JSON, or plain text where its default is text.
 *
 * @param usual its default; undefined where none is known.
 */
function readValue(text: string, usual: unknown): Read {
	const typed = text.trim();
	if (typeof usual === 'string' && !typed.startsWith('"')) return {ok: true, value: typed};
	try {
		return {ok: true, value: JSON.parse(typed) as unknown};
	} catch {
		const shown = typed === '' ? 'nothing' : typed;
		return {ok: false, reason: `${shown} is not JSON: write a number, true, false, null, "text", [ ] or { }`};
	}
}

/** Hyperparameters that the service told no default of: a JSON object, or nothing. */
function readFurtherValues(
	text: string,
):
	| {readonly ok: true; readonly values: Readonly<Record<string, unknown>>}
	| {readonly ok: false; readonly reason: string} {
	if (text.trim() === '') return {ok: true, values: {}};
	const read = readValue(text, undefined);
	if (!read.ok) return {ok: false, reason: 'not JSON: write an object such as {"seed": 7}'};
	const {value} = read;
	if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
		return {ok: true, values: value as Record<string, unknown>};
	}
	return {ok: false, reason: 'not a JSON object: write {"seed": 7}, or nothing'};
}
