import {endpoints} from '../../contract/endpoints.ts';
import type {HyperparameterDefaults, HyperparameterValidation} from '../../contract/hyperparameters.ts';
import {type VlaType, vlaTypes} from '../../contract/vocabulary.ts';
import {HttpProblem} from '../http/http-problem.ts';
import {type Route, route} from '../http/route.ts';
import {hyperparameterDefaults, validateHyperparameters} from '../jobs/vla/validate-hyperparameters.ts';
import {vlaTypeFacts} from '../jobs/vla/vla-types.ts';

function knownType(wanted: string): VlaType {
	const type = vlaTypes.find(each => each === wanted);
	if (type) return type;
	const asked = JSON.stringify(wanted.slice(0, 200));
	throw new HttpProblem(
		400,
		`vla_type: there is no VLA type ${asked}; the types are ${vlaTypes.join(', ')}.`,
	);
}

/** Sections 4.13 and 4.14. */
export const hyperparameterRoutes: readonly Route[] = [
	route(endpoints.validateHyperparameters, ({query, body}): HyperparameterValidation => {
		const issues = validateHyperparameters(knownType(query.vla_type), body);
		return {valid: issues.length === 0, issues: issues.length === 0 ? null : issues};
	}),
	route(endpoints.hyperparameterDefaults, ({query}): HyperparameterDefaults => {
		const {vla_type, model_id} = query;
		const base = model_id || vlaTypeFacts[vla_type].baseModel;
		return {
			data: hyperparameterDefaults(vla_type),
			message: `LeRobot's defaults of ${vla_type}. Base model: ${base}. Unless steps are given, the hours bound the training, and where they are few it saves more often than save_freq says.`,
		};
	}),
];
