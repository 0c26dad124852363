import {places, resolvePath} from '../files/places.ts';
import {readNetwork, serveInForeground} from '../service/front-door.ts';
import {readRate} from '../upload/blob-source.ts';
import {type CommandLine, type Flags, wholeNumber} from './flags.ts';
import {exitCodes, UsageError} from './print/failure.ts';
import {say, write} from './print/output.ts';
import {readSettings} from './settings.ts';

function network({listen, keys, 'public-url': publicUrl}: Flags) {
	try {
		return readNetwork(listen, keys && resolvePath(keys, process.cwd()), publicUrl);
	} catch (error) {
		throw new UsageError(`${(error as Error).message}.`);
	}
}

function quota({'upload-quota': text}: Flags): number | undefined {
	if (text === undefined) return undefined;
	const bytes = readRate(text);
	if (bytes !== undefined) return bytes;
	throw new UsageError(`--upload-quota takes bytes, such as 500M or 20G, and "${text}" is not that.`);
}

/** `lakescope serve [--port N] [--listen ADDR --keys FILE [--public-url URL]] [--upload-quota SIZE]` */
export async function serve({words, flags}: CommandLine): Promise<number> {
	if (words.length > 0) throw new UsageError(`lakescope serve takes no "${words[0]}".`);
	const port = wholeNumber('port', flags.port, {min: 0, max: 65_535}) ?? 0;
	const others = network(flags);
	const uploadQuota = quota(flags);
	const {sample, lakeFolder, problems} = await readSettings(flags, {localOnly: true});
	for (const problem of problems) say(problem);
	const key = process.env.LAKESCOPE_API_KEY?.trim() || undefined;
	if (others) {
		say(
			others.publicUrl?.startsWith('https:')
				? `Others call ${others.publicUrl}; from the proxy there to this machine the connection is plain http.`
				: 'Other machines connect over plain http: keys and data can be read on the way unless a TLS proxy is in front of it.',
		);
	} else if (key === undefined) {
		say('lakescope on this machine finds the key by itself; for others, set one as LAKESCOPE_API_KEY.');
	}
	await serveInForeground({
		lakeFolder: sample ? places().sample : lakeFolder,
		sample,
		port,
		network: others,
		uploadQuota,
		key,
		notify: say,
		onListening: url => void write(`listening ${url}\n`).catch(() => undefined),
	});
	return exitCodes.fine;
}
