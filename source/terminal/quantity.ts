/** A count with its thousands grouped, exact to the last digit: `2,612,330`. */
export function grouped(count: number | bigint): string {
	const digits = String(count);
	return /^-?\d+$/.test(digits) ? digits.replace(/\B(?=(\d{3})+$)/g, ',') : digits;
}

/** A count with its noun in the right number: `1 episode`, `5,000 episodes`. */
export function counted(count: number | bigint, noun: string): string {
	return `${grouped(count)} ${noun}${BigInt(count) === 1n ? '' : 's'}`;
}

/** A span of time as people say it: `41.2 s`, `3 m 12 s`, `24 h 11 m`, `12 d 3 h`. */
export function span(seconds: number): string {
	if (!Number.isFinite(seconds)) return '—';
	if (Math.abs(seconds) < 59.95) return `${seconds.toFixed(1)} s`;
	const sign = seconds < 0 ? '-' : '';
	const whole = Math.round(Math.abs(seconds));
	if (whole < 3600) return `${sign}${Math.floor(whole / 60)} m ${whole % 60} s`;
	const minutes = Math.floor(whole / 60);
	if (minutes < 100 * 60) return `${sign}${grouped(Math.floor(minutes / 60))} h ${minutes % 60} m`;
	const hours = Math.floor(minutes / 60);
	return `${sign}${grouped(Math.floor(hours / 24))} d ${hours % 24} h`;
}

/** How long ago, coarse enough not to flicker: `now`, `40 s`, `5 m`, `3 h`, `2 d`. */
export function age(milliseconds: number): string {
	const seconds = Math.floor(milliseconds / 1000);
	if (seconds < 10) return 'now';
	if (seconds < 60) return `${Math.floor(seconds / 10) * 10} s`;
	if (seconds < 3600) return `${Math.floor(seconds / 60)} m`;
	if (seconds < 48 * 3600) return `${Math.floor(seconds / 3600)} h`;
	return `${Math.floor(seconds / 86_400)} d`;
}

/** How long yet, to the second while that matters: `1 s`, `75 s`, `4 m`, `2 h`. */
export function yet(milliseconds: number): string {
	const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
	if (seconds < 100) return `${seconds} s`;
	return seconds < 100 * 60 ? `${Math.round(seconds / 60)} m` : `${Math.round(seconds / 3600)} h`;
}

/** The local wall clock at a time: `14:02`. */
export function clock(at: number): string {
	const date = new Date(at);
	return `${String(date.getHours()).padStart(2, '0')}:${String(date.getMinutes()).padStart(2, '0')}`;
}

/** The same to the second: `14:02:07`. */
export function clockSeconds(at: number): string {
	return `${clock(at)}:${String(new Date(at).getSeconds()).padStart(2, '0')}`;
}

/** A moment with its day, in this machine's time: `2026-05-01 14:03:22`. */
export function moment(at: number): string {
	const date = new Date(at);
	if (Number.isNaN(date.getTime())) return '—';
	const two = (value: number) => String(value).padStart(2, '0');
	return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${clockSeconds(at)}`;
}

/** The zone of this machine's time at a moment: `UTC+02:00`. */
export function zone(at: number): string {
	const minutes = -new Date(at).getTimezoneOffset();
	if (minutes === 0) return 'UTC';
	const two = (value: number) => String(Math.trunc(value)).padStart(2, '0');
	return `UTC${minutes < 0 ? '-' : '+'}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
}

/** A measured value, with the digits that say something: `0.4372`, `12.31`, `1,204`, `3.1e-7`. */
export function measure(value: number | bigint): string {
	if (typeof value === 'bigint' || Number.isInteger(value)) {
		return Math.abs(Number(value)) < 1e15 || typeof value === 'bigint'
			? grouped(value)
			: value.toExponential(3);
	}
	const size = Math.abs(value);
	if (size >= 1e9 || size < 1e-4) return value.toExponential(2);
	if (size >= 1000) return grouped(Math.round(value));
	if (size >= 100) return value.toFixed(1);
	return value.toFixed(size >= 10 ? 2 : size >= 1 ? 3 : 4);
}

/** A share of one as a percentage: `44%`. */
export function percent(share: number): string {
	return `${(share * 100).toFixed(0)}%`;
}

/**
 * A score between 0 and 1 in three cells, as tables print it: `.31`, `1.0`. It is rounded, but not up to a tenth:
 * people set their bounds there, and what `quality_score<0.8` finds is no .80.
 */
export function score(value: number): string {
	const shown = scoreDigits(value, 2);
	return shown.startsWith('0.')
		? shown.slice(1)
		: shown.startsWith('-0.')
			? `-${shown.slice(2)}`
			: value.toFixed(1);
}

/** The same with four digits: `0.8964`. */
export function scoreMeasure(value: number): string {
	return Number.isInteger(value) ? measure(value) : scoreDigits(value, 4);
}

/** Rounded to so many digits, but not up to a tenth; what no double tells apart counts as reached. */
function scoreDigits(value: number, digits: number): string {
	const told = value.toFixed(12);
	const cut = told.slice(0, digits - 12);
	const rounded = Number(told).toFixed(digits);
	const tenths = (shown: string) => shown.slice(0, 1 - digits);
	return tenths(rounded) === tenths(cut) ? rounded : cut;
}

const readBack = (shown: string) => Number(shown.replaceAll(',', ''));

/** A measured value beside another that it is set against: with as many digits as tell the two apart. */
export function measureBeside(value: number, other: number): string {
	const shown = measure(value);
	if (value === other || readBack(shown) !== readBack(measure(other))) return shown;
	for (let digits = 4; digits <= 17; digits++) {
		const more = value.toPrecision(digits);
		if (more !== other.toPrecision(digits)) return String(Number(more));
	}
	return String(value);
}

const byteUnits = ['KiB', 'MiB', 'GiB', 'TiB'];

/** A size in bytes as people say it: `812 B`, `1.4 MiB`, `120 GiB`. */
export function byteSize(bytes: number): string {
	if (bytes < 1024) return `${Math.round(bytes)} B`;
	let size = bytes / 1024;
	let unit = 0;
	for (; size >= 999.5 && unit < byteUnits.length - 1; unit++) size /= 1024;
	return `${size < 9.95 ? size.toFixed(1) : Math.round(size)} ${byteUnits[unit]}`;
}
