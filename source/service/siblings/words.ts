/** A figure with no more digits than one compares by, and a minus sign: 41, 1.7, −0.35. */
export function figure(value: number): string {
	const size = Math.abs(value);
	const digits = size >= 9.95 ? 0 : size >= 0.995 ? 1 : 2;
	const text = size >= 1e6 || (size > 0 && size < 0.005) ? value.toPrecision(2) : value.toFixed(digits);
	return text
		.replace(/^(-?\d+)\.0+$/, '$1')
		.replace(/^-0$/, '0')
		.replace('-', '−');
}

/** `41 s` */
export const seconds = (value: number): string => `${figure(value)} s`;

/** `14–22`; `−40 to −10` where a dash would read as a sign. */
export function range(low: number, high: number): string {
	const [from, to] = [figure(low), figure(high)];
	if (from === to) return from;
	return from.startsWith('−') || to.startsWith('−') ? `${from} to ${to}` : `${from}–${to}`;
}

/** `elbow_flex`, `a and b`, `a, b and 3 more`; LeRobot ends the names of joints in ".pos", which says nothing. */
export function channelList(names: readonly string[]): string {
	const short = names.map(name => name.replace(/\.pos$/, ''));
	if (short.length <= 2) return short.join(' and ');
	return `${short.slice(0, 2).join(', ')} and ${short.length - 2} more`;
}
