import {useEffect, useState} from 'react';

/** Ages are rounded to ten seconds or more; a shorter tick would only repaint. */
const tickMs = 5000;
const secondMs = 1000;

/**
 * The time, in milliseconds since 1970, going on while the component is there.
 *
 * @param isExact to the second: while something is waited for.
 */
export function useNow(isExact = false): number {
	const [, tick] = useState(0);
	useEffect(() => {
		const timer = setInterval(() => tick(times => times + 1), isExact ? secondMs : tickMs);
		return () => clearInterval(timer);
	}, [isExact]);
	return Date.now();
}
