import {isIP} from 'node:net';

/**
 * Reads `--listen ADDR` and `--keys FILE`, of which neither goes without the other: others are let in only where it
 * is said who they may be.
 *
 * @throws {Error} with a clause that says what is wrong
 */
export function readNetwork(
	listen: string | undefined,
	keysFile: string | undefined,
): {readonly host: string; readonly keysFile: string} | undefined {
	if (listen === undefined && keysFile === undefined) return undefined;
	if (listen === undefined)
		throw new Error('--keys FILE says who may call from elsewhere: give --listen ADDR too');
	if (keysFile === undefined) {
		throw new Error('--listen ADDR lets other machines call: give --keys FILE, which says who may');
	}
	const host = /^\[(.*)\]$/.exec(listen)?.[1] ?? listen;
	if (isIP(host) === 0) {
		throw new Error(
			`--listen takes an address of this machine such as 192.168.1.5, or 0.0.0.0 for all, not ${JSON.stringify(listen)}`,
		);
	}
	return {host, keysFile};
}
