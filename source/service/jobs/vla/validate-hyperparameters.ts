import type {HyperparameterIssue} from '../../../contract/hyperparameters.ts';
import type {Hyperparameter, HyperparameterTable} from './hyperparameter.ts';
import type {ConfigurationFields} from './releases.ts';
import {trainerSettings} from './trainer-settings.ts';
import {isVlaType, typeFacts} from './vla-types.ts';

/** The longest text that a message repeats. */
const longestShown = 60;

function shown(value: unknown): string {
	const text = JSON.stringify(value) ?? 'nothing';
	return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
}

/** Fields of a configuration that are decided here, or that follow from the dataset and the base model. */
const decided = new Set([
	...['input_features', 'output_features', 'normalization_mapping', 'pretrained_path', 'base_model_path'],
	...['pretrained_revision', 'push_to_hub', 'repo_id', 'private', 'tags', 'license', 'empty_cameras'],
	...['pretrained_model_path', 'output_dir', 'resume', 'type', 'path'],
]);

/** The values that an installed configuration takes, by its fields' types. */
function installedParameters(fields: ConfigurationFields): HyperparameterTable {
	const parameterOf = ({type, default: usual}: ConfigurationFields[string]): Hyperparameter => {
		const plain = type.replace(/\s*\|\s*None\b/, '');
		const nullable = plain !== type;
		if (plain === 'int' || plain === 'float') {
			const kind = plain === 'int' ? 'integer' : 'number';
			return {kind, nullable, ...((typeof usual === 'number' || usual === null) && {default: usual})};
		}
		if (plain === 'bool' && !nullable) {
			return {kind: 'boolean', ...(typeof usual === 'boolean' && {default: usual})};
		}
		if (plain === 'str' && !nullable)
			return {kind: 'text', ...(typeof usual === 'string' && {default: usual})};
		return {kind: 'any'};
	};
	const open = Object.entries(fields).filter(([name]) => !decided.has(name));
	return Object.fromEntries(open.map(([name, field]) => [name, parameterOf(field)]));
}

/**
 * All that a type takes: the trainer's settings and its policy's own hyperparameters. Those of a type that is none of the
 * interface's come from the installed LeRobot, as do the defaults of the rest.
 */
function hyperparametersOf(type: string, fields?: ConfigurationFields): HyperparameterTable {
	const own = typeFacts(type).hyperparameters;
	if (fields === undefined) return {...trainerSettings, ...own};
	if (!isVlaType(type)) return {...installedParameters(fields), ...trainerSettings};
	const here = Object.entries(own).map(([name, parameter]) => {
		const usual = fields[name]?.default;
		const isAlike = usual !== undefined && breachOf(parameter, usual) === undefined;
		return [name, isAlike ? ({...parameter, default: usual} as Hyperparameter) : parameter] as const;
	});
	return {...trainerSettings, ...Object.fromEntries(here)};
}

/**
 * Section 4.14: the values that hold where nothing else is said.
 *
 * @param fields of the type's installed configuration, where that can be read
 */
export function hyperparameterDefaults(type: string, fields?: ConfigurationFields): Record<string, unknown> {
	const known = Object.entries(hyperparametersOf(type, fields));
	return Object.fromEntries(
		known.flatMap(([name, parameter]) =>
			parameter.default === undefined ? [] : [[name, parameter.default] as const],
		),
	);
}

function numberBreach(
	parameter: Extract<Hyperparameter, {kind: 'integer' | 'number'}>,
	value: unknown,
): string | undefined {
	const {kind, min, above, max, nullable} = parameter;
	if (value === null && nullable) return undefined;
	const noun = kind === 'integer' ? 'a whole number' : 'a number';
	if (typeof value !== 'number' || (kind === 'integer' && !Number.isInteger(value))) {
		return `must be ${noun}${nullable ? ' or null' : ''}, and is ${shown(value)}`;
	}
	if (min !== undefined && value < min) return `must be at least ${min}, and is ${value}`;
	if (above !== undefined && value <= above) return `must be greater than ${above}, and is ${value}`;
	if (max !== undefined && value > max) return `must be at most ${max}, and is ${value}`;
	return undefined;
}

function textBreach(parameter: Extract<Hyperparameter, {kind: 'text'}>, value: unknown): string | undefined {
	const {startsWith = '', maxLength = 255} = parameter;
	if (typeof value !== 'string') return `must be text, and is ${shown(value)}`;
	if (value.length === 0 || value.length > maxLength) return `must have 1 to ${maxLength} characters`;
	if (/\p{Cc}/u.test(value)) return 'must not contain control characters';
	if (!value.startsWith(startsWith)) return `must begin with "${startsWith}", and is ${shown(value)}`;
	return undefined;
}

function breachOf(parameter: Hyperparameter, value: unknown): string | undefined {
	switch (parameter.kind) {
		case 'any':
			return undefined;
		case 'boolean':
			return typeof value === 'boolean' ? undefined : `must be true or false, and is ${shown(value)}`;
		case 'choice':
			return parameter.values.some(choice => choice === value)
				? undefined
				: `must be one of ${parameter.values.join(', ')}, and is ${shown(value)}`;
		case 'text':
			return textBreach(parameter, value);
		default:
			return numberBreach(parameter, value);
	}
}

/**
 * Section 4.13: what is wrong with a set of hyperparameters for a type, given or left at its defaults. Rules between
 * several are looked at once each of them is right by itself.
 */
export function validateHyperparameters(
	type: string,
	given: Readonly<Record<string, unknown>>,
	fields?: ConfigurationFields,
): HyperparameterIssue[] {
	const known = hyperparametersOf(type, fields);
	const issues = Object.entries(given).flatMap(([field, value]): HyperparameterIssue[] => {
		const parameter = Object.hasOwn(known, field) ? known[field] : undefined;
		if (!parameter) {
			const names = Object.keys(known).sort().join(', ');
			return [{field, message: `${type} has no such hyperparameter; it has ${names}`}];
		}
		const message = breachOf(parameter, value);
		return message === undefined ? [] : [{field, message}];
	});
	if (issues.length > 0) return issues;
	const values = {...hyperparameterDefaults(type, fields), ...given};
	return typeFacts(type).rules.flatMap(rule => rule(values) ?? []);
}
