import {useEffect, useState} from 'react';

/** Ages are told to ten seconds at the finest; looking oftener would only repaint. */
const tickMs = 5000;

/** The time, in milliseconds since 1970, going on while the component is there. */
export function useNow(): number {
	const [, tick] = useState(0);
	useEffect(() => {
		const timer = setInterval(() => tick(times => times + 1), tickMs);
		return () => clearInterval(timer);
	}, []);
	return Date.now();
}
