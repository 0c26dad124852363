import packageJson from '../../package.json' with {type: 'json'};
import {exitCodes} from './failure.ts';
import {write} from './output.ts';
import {usage} from './usage.ts';

/** `lakescope --help` */
export async function help(): Promise<number> {
	await write(usage);
	return exitCodes.fine;
}

/** `lakescope --version` */
export async function version(): Promise<number> {
	await write(`${packageJson.version}\n`);
	return exitCodes.fine;
}
