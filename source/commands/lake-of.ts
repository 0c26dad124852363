import {readAddress} from '../client/address.ts';
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
