import {ok, Refusal} from './answers.ts';
import type {Handler} from './calls.ts';
import {jsonBody} from './parts.ts';
import {demand, freeForm, object, optional, required, text} from './validation.ts';

/** This service's own values: the document says only that there are some. */
const defaults: Record<string, Record<string, unknown>> = {
	act: {chunk_size: 100, learning_rate: 0.00002, use_vae: true},
	smolvla: {chunk_size: 50, learning_rate: 0.0001, freeze_vision_encoder: true},
	pi0: {chunk_size: 50, learning_rate: 0.00003, precision: 'bfloat16'},
	pi05: {chunk_size: 50, learning_rate: 0.00003, precision: 'bfloat16'},
	gr00t_n1_5: {chunk_size: 16, learning_rate: 0.0001, tune_projector: true},
	sarm: {learning_rate: 0.0001, frame_gap: 30},
};

const needModel = ['smolvla', 'pi0', 'pi05'];

const defaultsQuery = object({
	vla_type: required(text()),
	model_id: optional<string | undefined>(text(), undefined),
});

export const hyperparameterDefaults: Handler = ({query}) => {
	const {vla_type, model_id} = demand(defaultsQuery, query, ['query']);
	const data = known(vla_type);
	if (needModel.includes(vla_type) && !model_id) throw new Refusal(400, `${vla_type} needs a model_id`);
	return ok({data, message: `Defaults of ${model_id ?? 'the base model'}`});
};

export const validateHyperparameters: Handler = call => {
	const {vla_type} = demand(object({vla_type: required(text())}), call.query, ['query']);
	const data = known(vla_type);
	const issues = Object.entries(jsonBody(call, freeForm)).flatMap(([field, value]) => {
		if (!Object.hasOwn(data, field)) return [{field, message: `${vla_type} has no such hyperparameter`}];
		const type = typeof data[field];
		if (type !== typeof value) return [{field, message: `should be a ${type}`}];
		if (typeof value === 'number' && value <= 0) return [{field, message: 'should be greater than 0'}];
		return [];
	});
	return ok({valid: issues.length === 0, issues: issues.length === 0 ? null : issues});
};

function known(vlaType: string): Record<string, unknown> {
	const data = Object.hasOwn(defaults, vlaType) ? defaults[vlaType] : undefined;
	if (!data) throw new Refusal(400, `Unknown vla_type ${vlaType}`);
	return data;
}
