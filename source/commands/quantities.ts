/** A count with its thousands grouped, exact to the last digit: `2,612,330`. */
export function grouped(count: number | bigint): string {
	return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** A count with its noun in the right number: `1 episode`, `5,000 episodes`. */
export function counted(count: number | bigint, noun: string): string {
	return `${grouped(count)} ${noun}${Number(count) === 1 ? '' : 's'}`;
}

/** A span of time as people say it: `41.2 s`, `3 m 12 s`, `24 h 11 m`. */
export function span(seconds: number): string {
	if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
	const whole = Math.round(seconds);
	if (whole < 3600) return `${Math.floor(whole / 60)} m ${whole % 60} s`;
	return `${grouped(Math.floor(whole / 3600))} h ${Math.floor((whole % 3600) / 60)} m`;
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
