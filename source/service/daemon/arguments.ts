import {parseArgs} from 'node:util';
import {type NetworkFlags, readNetwork} from '../access/network-flags.ts';
import {ServiceStartError} from '../host/start-error.ts';

/** How the service's own entry may be called. */
export type ServiceArguments = {
	readonly lakeFolder: string;
	readonly sample: boolean;
	readonly port: number;
	/** Stays until it is ended, with LAKESCOPE_API_KEY as its key, and prints where it listens. */
	readonly foreground: boolean;
	/** Where callers from other machines are listened for, and the file that says who they may be. */
	readonly network: NetworkFlags | undefined;
	/** Reports on descriptor 3 to the process that started it. */
	readonly report: boolean;
	/** That process gave it a socket that listens, on descriptor 4. */
	readonly socket: boolean;
};

/**
 * Reads the flags of `embedded-service.js`.
 *
 * @throws {ServiceStartError} naming the flag that is wrong
 */
export function readArguments(args: readonly string[]): ServiceArguments {
	try {
		const {values} = parseArgs({
			args: [...args],
			options: {
				lake: {type: 'string'},
				sample: {type: 'boolean', default: false},
				port: {type: 'string', default: '0'},
				listen: {type: 'string'},
				keys: {type: 'string'},
				'public-url': {type: 'string'},
				foreground: {type: 'boolean', default: false},
				report: {type: 'boolean', default: false},
				socket: {type: 'boolean', default: false},
			},
		});
		if (!values.lake) throw new Error('--lake DIR is missing');
		const port = Number(values.port);
		if (!Number.isInteger(port) || port < 0 || port > 65_535) {
			throw new Error(`--port takes a number from 0 to 65535, not ${JSON.stringify(values.port)}`);
		}
		const {lake, sample, foreground, report, socket} = values;
		const network = readNetwork(values.listen, values.keys, values['public-url']);
		if (network && !foreground) throw new Error('--listen goes with --foreground');
		return {lakeFolder: lake, sample, port, foreground, network, report, socket};
	} catch (error) {
		throw new ServiceStartError(`embedded-service: ${(error as Error).message}.`);
	}
}
