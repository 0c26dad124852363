import {maxSignedIndex, smallInteger} from '../contract/scalars.ts';
import {isKeyName, type Key, type KeyName, keys} from './keys.ts';
import {nearest} from './nearest.ts';
import {quote} from './quoting.ts';
import type {Scanner} from './scanner.ts';
import type {PlacedValue, Term} from './term.ts';

const bareValue = /[^\s",]+/uy;
const wholeNumber = smallInteger(maxSignedIndex);

function readValue(scanner: Scanner, key: Key): PlacedValue {
	const start = scanner.at;
	const quoted = scanner.sees('"');
	const value = quoted ? scanner.takeQuoted() : scanner.take(bareValue);
	if (value === undefined) {
		scanner.fail(start, Math.min(start + 1, scanner.text.length), {
			expected: key.what,
			fits: key.values ?? [],
		});
	}
	if (!scanner.atBoundary && !scanner.sees(',')) {
		scanner.fail(scanner.at, scanner.wordEnd(scanner.at), {
			expected: 'a comma or a space',
			hint: quoted ? 'the closing quote ends the value' : 'put the whole value in quotes',
		});
	}
	return {value, start, end: scanner.at};
}

function checkValue(
	scanner: Scanner,
	{values, wholeNumber: whole, what}: Key,
	{value, start, end}: PlacedValue,
): void {
	if (values && !values.includes(value)) scanner.fail(start, end, {expected: what, fits: values});
	if (whole && !(/^-?\d+$/.test(value) && wholeNumber.safeParse(Number(value)).success)) {
		scanner.fail(start, end, {expected: `${what}, a whole number up to ${maxSignedIndex}`});
	}
}

/** Reads the values behind `key:`; the scanner stands behind the colon. */
function readValues(scanner: Scanner, name: KeyName): PlacedValue[] {
	const key: Key = keys[name];
	const values: PlacedValue[] = [];
	do {
		const value = readValue(scanner, key);
		checkValue(scanner, key, value);
		values.push(value);
		if (key.takes !== 'list' && scanner.sees(',')) {
			scanner.fail(scanner.at, scanner.wordEnd(scanner.at), {
				expected: `${key.what} alone`,
				hint:
					key.takes === 'repeated'
						? `repeat ${name}: for another, or quote a value with a comma in it`
						: `${name}: takes one value`,
			});
		}
	} while (scanner.takeText(','));
	return values;
}

/** Reads `key:value[,value]`; the scanner stands behind the colon, `head` is what stands before it. */
export function readKeyTerm(scanner: Scanner, start: number, head: string): Term {
	if (!isKeyName(head)) {
		const like = nearest(head, Object.keys(keys));
		scanner.fail(start, scanner.at, {
			expected: 'a key',
			fits: (like.length > 0 ? like : Object.keys(keys)).map(key => `${key}:`),
			isGuess: like.length > 0,
			hint: `to search for it as text, write ${quote(scanner.text.slice(start, scanner.wordEnd(start)))}`,
		});
	}
	const values = readValues(scanner, head);
	return {kind: 'values', key: head, values, start, end: scanner.at};
}
