import {exitCodes} from './failure.ts';
import {write} from './output.ts';
import {usage} from './usage.ts';
import {version} from './version.ts';

/** `lakescope --help` */
export async function printHelp(): Promise<number> {
	await write(usage);
	return exitCodes.fine;
}

/** `lakescope --version` */
export async function printVersion(): Promise<number> {
	await write(`${version}\n`);
	return exitCodes.fine;
}
