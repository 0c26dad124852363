import {readAddress} from '../client/address.ts';
import {places} from '../files/places.ts';
import type {ServiceName} from '../store/export/shell-lines.ts';
import type {ChosenService} from './chosen-service.ts';

/**
 * Which lake a service has, from one run to the next: a folder, as the embedded service's address is another each time,
 * or an address with an account.
 *
 * @throws RequestError when the address cannot be used.
 */
export function lakeOf({lakeFolder, clientOptions}: ChosenService): string {
	if (lakeFolder !== undefined) return lakeFolder;
	const {origin, prefix} = readAddress(clientOptions.baseUrl);
	return `${origin}${prefix} ${clientOptions.accountId ?? ''}`;
}

/** How a service is named on a command line, wherever that is run. */
export function nameOf({kind, lakeFolder, clientOptions}: ChosenService): ServiceName {
	if (kind === 'sample') return {flags: ['--sample']};
	if (lakeFolder !== undefined) return {flags: lakeFolder === places().lake ? [] : ['--lake', lakeFolder]};
	const {baseUrl, accountId: account} = clientOptions;
	return {
		flags: ['--url', baseUrl, ...(account ? ['--account', account] : [])],
		account: account || undefined,
	};
}
