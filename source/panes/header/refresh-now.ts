import type {Explorer} from '../../store/explorer.ts';
import {clockSeconds, yet} from '../../terminal/quantity.ts';

/** Reads what is on the screen again; says so where the service asked not to be asked yet. */
export function refreshNow(explorer: Explorer): void {
	const notBefore = explorer.refresh();
	const now = Date.now();
	if (notBefore === undefined || notBefore <= now) return;
	const when = `before ${clockSeconds(notBefore)}, in ${yet(notBefore - now)}`;
	explorer.notify('info', `The service asked not to be asked ${when}; it is asked again then.`);
}
