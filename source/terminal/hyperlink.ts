const esc = '\u001b';

/**
 * The address as it may be linked to, or undefined for one that may not: only http and https, so that a click never
 * runs a program, and without a password in it, which a status line would show.
 */
export function webTarget(address: string): string | undefined {
	if (!/^https?:\/\//i.test(address) || address.length > longestAddress) return undefined;
	try {
		const url = new URL(address);
		if (url.username !== '' || url.password !== '') return undefined;
		// Only what is printable ASCII is left in it; the sequence can't be ended from inside.
		return /^[\x21-\x7e]+$/.test(url.href) ? url.href : undefined;
	} catch {
		return undefined;
	}
}

/** The longest address that terminals read: VTE's bound. */
const longestAddress = 2083;

/** Text that leads somewhere when it is clicked on (OSC 8). The target is one of `webTarget`'s. */
export function hyperlink(text: string, target: string): string {
	return `${esc}]8;;${target}${esc}\\${text}${esc}]8;;${esc}\\`;
}
