import {RequestError, ServiceError} from '../../client/errors.ts';
import type {FieldProblem} from './request.ts';

/** Fields of the request that a service may speak of, the longer names first: one is a part of the other. */
const fields = [
	'sarm_image_observation_key',
	'sarm_reward_model_path',
	'camera_mappings',
	'vla_hyper_spec',
	'rabc_head_mode',
	'instance_type',
	'project_id',
	'dataset_id',
	'batch_size',
	'model_id',
	'vla_type',
	'use_rabc',
	'region',
	'hours',
	'name',
] as const;

const fieldWord = new RegExp(
	`\\b(?:${fields.join('|')})(?:\\.[A-Za-z0-9_]+(?:\\.[A-Za-z0-9_]+)*)?(?=: )`,
	'g',
);

/** What a sentence without a field's name is about, by the words that it uses. */
const subjects: readonly (readonly [RegExp, string])[] = [
	[/\bproject\b/i, 'project_id'],
	[/\bcamera|\bimage key/i, 'camera_mappings'],
	[/\bhyper-?param/i, 'vla_hyper_spec'],
	[/\bmodel\b/i, 'model_id'],
	[/\bdataset\b/i, 'dataset_id'],
	[/\bhours?\b/i, 'hours'],
	[/\bbatch\b/i, 'batch_size'],
];

/** A refusal in one sentence: one `field: sentence` after the other, or about something that it names. */
function problemsOfDetail(detail: string): readonly FieldProblem[] {
	const named = [...detail.matchAll(fieldWord)];
	if (named.length > 0) {
		return named.map(({0: field, index}, nth) => {
			const from = index + field.length + 2;
			return {field, message: detail.slice(from, named[nth + 1]?.index).trim()};
		});
	}
	const slot = /\bcamera slot ["']?([\w.]+)/i.exec(detail)?.[1];
	const [, field = ''] = subjects.find(([word]) => word.test(detail)) ?? [];
	return [{field: slot === undefined ? field : `camera_mappings.${slot}`, message: detail}];
}

const isAboutTheCaller = ({status}: ServiceError) => status >= 500 || [401, 403, 408, 429].includes(status);

/** What was said against a launch, each at the field that it is about; an empty field where none is named. */
export function problemsOfRefusal(error: unknown): readonly FieldProblem[] {
	if (error instanceof RequestError) return [{field: error.field, message: error.bound}];
	// A service that cannot, or will not for this caller now, says nothing of a field, whatever words it uses.
	if (error instanceof ServiceError && isAboutTheCaller(error)) {
		return [{field: '', message: error.message}];
	}
	if (error instanceof ServiceError && error.issues !== undefined && error.issues.length > 0) {
		return error.issues.map(({loc, msg}) => ({
			field: loc.filter((part, at) => at > 0 || part !== 'body').join('.'),
			message: msg,
		}));
	}
	if (error instanceof ServiceError && error.detail !== undefined) return problemsOfDetail(error.detail);
	return [{field: '', message: error instanceof Error ? error.message : String(error)}];
}
