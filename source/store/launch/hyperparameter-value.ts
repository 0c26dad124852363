import {exactJson} from '../../contract/exact-json.ts';

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
export function readValue(text: string, usual: unknown): Read {
	const typed = text.trim();
	if (typeof usual === 'string' && !typed.startsWith('"')) return {ok: true, value: typed};
	try {
		return {ok: true, value: JSON.parse(typed) as unknown};
	} catch {
		const shown = typed === '' ? 'nothing' : typed;
		return {ok: false, reason: `${shown} is no JSON: write a number, true, false, null, "text", [ ] or { }`};
	}
}

/** Hyperparameters that the service told no default of: a JSON object, or nothing. */
export function readFurtherValues(
	text: string,
):
	| {readonly ok: true; readonly values: Readonly<Record<string, unknown>>}
	| {readonly ok: false; readonly reason: string} {
	if (text.trim() === '') return {ok: true, values: {}};
	const read = readValue(text, undefined);
	if (!read.ok) return {ok: false, reason: 'that is no JSON: write an object such as {"seed": 7}'};
	const {value} = read;
	if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
		return {ok: true, values: value as Record<string, unknown>};
	}
	return {ok: false, reason: 'that is JSON, but no object: write {"seed": 7}, or nothing'};
}
