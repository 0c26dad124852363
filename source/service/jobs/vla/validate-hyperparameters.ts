import type {HyperparameterIssue} from '../../../contract/hyperparameters.ts';
import type {VlaType} from '../../../contract/vocabulary.ts';
import type {Hyperparameter, HyperparameterTable} from './hyperparameter.ts';
import {trainerSettings} from './trainer-settings.ts';
import {vlaTypeFacts} from './vla-types.ts';

/** The longest text that a message repeats. */
const longestShown = 60;

function shown(value: unknown): string {
	const text = JSON.stringify(value) ?? 'nothing';
	return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
}

/** All that a type takes: the trainer's settings and its policy's own hyperparameters. */
function hyperparametersOf(type: VlaType): HyperparameterTable {
	return {...trainerSettings, ...vlaTypeFacts[type].hyperparameters};
}

/** Section 4.14: the values that hold where nothing else is said. */
export function hyperparameterDefaults(type: VlaType): Record<string, unknown> {
	const known = Object.entries(hyperparametersOf(type));
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
	if (/\p{Cc}/u.test(value)) return 'must not hold control characters';
	if (!value.startsWith(startsWith)) return `must begin with "${startsWith}", and is ${shown(value)}`;
	return undefined;
}

function breachOf(parameter: Hyperparameter, value: unknown): string | undefined {
	switch (parameter.kind) {
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
	type: VlaType,
	given: Readonly<Record<string, unknown>>,
): HyperparameterIssue[] {
	const known = hyperparametersOf(type);
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
	const values = {...hyperparameterDefaults(type), ...given};
	return vlaTypeFacts[type].rules.flatMap(rule => rule(values) ?? []);
}
