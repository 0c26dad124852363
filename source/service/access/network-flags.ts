import {isIP} from 'node:net';

/** Where callers from other machines are let in, and who they may be. */
export type NetworkFlags = {
	/** An address of this machine. */
	readonly host: string;
	readonly keysFile: string;
	/** Where they reach it, where a proxy stands before it; without a slash at its end. */
	readonly publicUrl?: string;
};

/**
 * Reads `--listen ADDR`, `--keys FILE` and `--public-url URL`. Neither of the first two goes without the other: others
 * are let in only where it is said who they may be.
 *
 * @throws {Error} with a clause that says what is wrong
 */
export function readNetwork(
	listen: string | undefined,
	keysFile: string | undefined,
	publicUrl: string | undefined,
): NetworkFlags | undefined {
	if (listen === undefined && keysFile === undefined) {
		if (publicUrl === undefined) return undefined;
		throw new Error(
			'--public-url URL says where other machines call: give --listen ADDR and --keys FILE too',
		);
	}
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
	return {host, keysFile, ...(publicUrl !== undefined && {publicUrl: readPublicUrl(publicUrl)})};
}

function readPublicUrl(text: string): string {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	const isPlain = url?.username === '' && url.password === '' && url.search === '' && url.hash === '';
	if (url === undefined || !isPlain || !['http:', 'https:'].includes(url.protocol)) {
		throw new Error(
			`--public-url takes an address such as https://lake.example.com, not ${JSON.stringify(text)}`,
		);
	}
	return url.href.replace(/\/+$/, '');
}
