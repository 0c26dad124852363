const decimal = '[+-]?(?:\\d+\\.?\\d*|\\.\\d+)';
const groups = /^[+-]?[1-9]\d{0,2}(?:,\d{3})+$/u;
const decimalComma = /^([+-]?)(\d*),(\d+)$/u;
const percentage = new RegExp(`^(${decimal})\\s*%$`, 'u');
const withUnit = new RegExp(`^(${decimal})\\s*(\\p{L}+)$`, 'u');

const milliseconds: ReadonlyMap<string, number> = new Map([
	['ms', 1],
	['s', 1000],
	['sec', 1000],
	['min', 60_000],
	['m', 60_000],
	['h', 3_600_000],
]);

/** The unit that a field of the language bears in its name. */
function unitOf(field: string | undefined): 's' | 'ms' | undefined {
	if (field?.endsWith('_ms')) return 'ms';
	return field?.endsWith('_s') ? 's' : undefined;
}

/** As short as the number that was meant: 7 / 100 is not 0.07 in binary. */
const shortest = (number: number) => String(Number(number.toPrecision(12)));

function unitHint(number: string, unit: string, field: string | undefined): string {
	const own = unitOf(field);
	if (own === undefined || own === unit) return `without its unit: ${number}`;
	const name = own === 's' ? 'seconds' : 'milliseconds';
	const [given, wanted] = [milliseconds.get(unit), milliseconds.get(own)];
	if (given === undefined || wanted === undefined) return `in ${name}, without a unit`;
	return `in ${name}: ${shortest((Number(number) * given) / wanted)}`;
}

/**
 * How a number that was written as people write them is written in a filter; undefined for what is none of these.
 *
 * @param field what it is compared with; undefined for a channel
 */
export function plainNumberHint(text: string, field: string | undefined): string | undefined {
	const [, sign = '', whole = '', part] = decimalComma.exec(text) ?? [];
	const withPoint = `with a point: ${sign}${whole || '0'}.${part}`;
	if (groups.test(text)) {
		const plain = `without the comma: ${text.replaceAll(',', '')}`;
		return part === undefined ? plain : `${plain}, or ${withPoint}`;
	}
	if (part !== undefined) return withPoint;
	const percent = percentage.exec(text)?.[1];
	if (percent !== undefined) return `as a share: ${shortest(Number(percent) / 100)}`;
	const [, number, unit] = withUnit.exec(text) ?? [];
	return number === undefined || unit === undefined ? undefined : unitHint(number, unit, field);
}
