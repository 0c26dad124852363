const two = (value: number) => String(Math.trunc(value)).padStart(2, '0');

/** A moment (milliseconds since 1970) in this machine's time: `2026-05-01 14:03:22`. */
export function stamp(at: number): string {
	const date = new Date(at);
	if (Number.isNaN(date.getTime())) return '—';
	const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
	return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** The zone that {@link stamp} speaks in, at a moment: `UTC+02:00`. */
export function zone(at: number): string {
	const minutes = -new Date(at).getTimezoneOffset();
	if (!minutes) return 'UTC';
	return `UTC${minutes < 0 ? '-' : '+'}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
}
