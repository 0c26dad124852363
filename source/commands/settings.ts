import path from 'node:path';
import {readAddress} from '../client/address.ts';
import type {ClientOptions} from '../client/options.ts';
import {
	type Config,
	type ConfigReading,
	findProfile,
	type Profile,
	profileNames,
	readConfig,
} from '../files/config.ts';
import {fileProblem} from '../files/file-problem.ts';
import {keyHelp, locateKey} from '../files/key.ts';
import {places, resolvePath} from '../files/places.ts';
import {readFileOrPipe} from '../files/read-file.ts';
import type {Attention} from './attention.ts';
import type {Flags} from './flags.ts';
import {UsageError} from './print/failure.ts';

/** The settings from flags, environment and configuration, in that order of precedence. */
export type Settings = {
	/** How to reach the hosted service; undefined for the embedded one. */
	readonly hosted: ClientOptions | undefined;
	/** The folder of the embedded service's lake. */
	readonly lakeFolder: string;
	/** The user named the folder: its content is shown even if it is empty. */
	readonly lakeNamed: boolean;
	/** The setting that names a hosted service, ignored by a command that works on a lake of this machine only. */
	readonly passedOver: 'LAKESCOPE_URL' | 'the configuration' | undefined;
	/** The sample was asked for. */
	readonly sample: boolean;
	readonly readOnly: boolean;
	/** The profile that was chosen, by name or as the default. */
	readonly profile: string | undefined;
	/** How the terminal announces what ends and what runs. */
	readonly attention: Attention;
	/** Keys of the explorer's actions, as they are written. */
	readonly keys: NonNullable<Config['keys']>;
	/** The explorer takes the mouse from the terminal. */
	readonly mouse: boolean;
	/** How pictures are to be shown. */
	readonly pictures: NonNullable<Config['pictures']>;
	/** Ignored parts of the configuration, a sentence each. */
	readonly problems: readonly string[];
};

type Choice = {
	readonly url?: string | undefined;
	readonly lake?: string | undefined;
	readonly sample?: boolean | undefined;
};

/** The first place that says which service is meant; `--lake` on the line goes before a URL in the environment. */
function firstChoice(choices: readonly Choice[]): Choice {
	return choices.find(({url, lake, sample}) => url || lake || sample) ?? {};
}

async function readCertificates(file: string): Promise<string> {
	try {
		return (await readFileOrPipe(file)).toString('utf8');
	} catch (error) {
		throw new UsageError(`The certificates in ${file} (caFile) cannot be read: ${fileProblem(error)}.`);
	}
}

/**
 * The profile that is meant: the one that was named, else the default one where nothing else says which service.
 *
 * @throws {UsageError} where there is none of that name.
 */
export function chooseProfile(
	{config: whole, problems}: Pick<ConfigReading, 'config' | 'problems'>,
	flags: Flags,
	env: NodeJS.ProcessEnv,
): Profile | undefined {
	const other = (['url', 'lake', 'sample'] as const).find(name => flags[name]);
	if (flags.profile && other !== undefined) {
		throw new UsageError(`--profile and --${other} both say which service is meant: give one of them.`);
	}
	const isElsewhere = other !== undefined || Boolean(env.LAKESCOPE_URL) || Boolean(env.LAKESCOPE_LAKE);
	const name = flags.profile ?? (isElsewhere ? undefined : env.LAKESCOPE_PROFILE || whole.profile);
	if (name === undefined) return undefined;
	const profile = findProfile(whole, name);
	if (profile !== undefined) return profile;
	const names = profileNames(whole);
	const known = names.length === 0 ? 'the configuration has none' : `there are ${names.join(', ')}`;
	throw new UsageError([`There is no profile ${name}: ${known}.`, ...problems].join('\n'));
}

type SettingsOptions = {
	readonly env?: NodeJS.ProcessEnv;
	/** Only lakes of this machine will do: hosted services in the environment and the configuration are passed over. */
	readonly localOnly?: boolean;
};

/** The setting that names a hosted service. Not its address, which may contain a password. */
function hostedBy(env: NodeJS.ProcessEnv, config: Config): Settings['passedOver'] {
	if (env.LAKESCOPE_URL) return 'LAKESCOPE_URL';
	return config.url ? 'the configuration' : undefined;
}

/**
 * Settles which service and lake are meant.
 *
 * @throws {UsageError} or RequestError for what cannot be meant; KeyFileError for a key file that others may read.
 */
export async function readSettings(
	flags: Flags,
	{env: given = process.env, localOnly = false}: SettingsOptions = {},
): Promise<Settings> {
	const reading = await readConfig();
	const {config: whole, file, problems} = reading;
	const profile = chooseProfile(reading, flags, given);
	const config = profile?.config ?? whole;
	// The environment describes the service that it names, not a profile that was named instead.
	const env: NodeJS.ProcessEnv = flags.profile
		? {...given, LAKESCOPE_URL: '', LAKESCOPE_LAKE: '', LAKESCOPE_ACCOUNT_ID: ''}
		: given;
	if (flags.url && (flags.lake || flags.sample)) {
		const other = flags.lake ? '--lake' : '--sample';
		throw new UsageError(`--url names a hosted service, ${other} a lake of this machine: give one of them.`);
	}
	if (flags.lake && flags.sample)
		throw new UsageError('--lake names a lake, and --sample is one of its own: give one of them.');
	if (flags.url && localOnly)
		throw new UsageError('This works on a lake of this machine: --url does not go with it.');
	const configFolder = path.dirname(file);
	const {url, lake, sample} = firstChoice([
		{url: flags.url, lake: flags.lake, sample: flags.sample},
		{url: localOnly ? undefined : env.LAKESCOPE_URL, lake: env.LAKESCOPE_LAKE},
		{url: localOnly ? undefined : config.url, lake: config.lake && resolvePath(config.lake, configFolder)},
	]);
	const named = url ? undefined : lake;
	const local = {
		lakeFolder: named === undefined ? places().lake : resolvePath(named, process.cwd()),
		lakeNamed: named !== undefined,
		passedOver: localOnly && named === undefined ? hostedBy(env, config) : undefined,
		sample: sample ?? false,
		readOnly: flags['read-only'] ?? config.readOnly ?? false,
		attention: {bell: config.bell ?? false, title: config.title ?? false},
		keys: config.keys ?? {},
		mouse: config.mouse ?? true,
		pictures: config.pictures ?? 'auto',
		profile: profile?.name,
		problems,
	};
	if (!url) {
		if (flags.account !== undefined)
			throw new UsageError('--account names an account of a hosted service: the embedded one has only one.');
		return {...local, hosted: undefined};
	}
	readAddress(url);
	const found = await locateKey(config, env, profile?.name);
	const hosted: ClientOptions = {
		baseUrl: url,
		key: found?.key,
		keyHelp: keyHelp(found, profile?.name),
		accountId: flags.account ?? (env.LAKESCOPE_ACCOUNT_ID || config.account),
		allowHttp: env.LAKESCOPE_ALLOW_HTTP ? env.LAKESCOPE_ALLOW_HTTP === '1' : (config.allowHttp ?? false),
		thumbHosts: config.thumbHosts,
		extraCertificates: config.caFile && (await readCertificates(resolvePath(config.caFile, configFolder))),
	};
	return {...local, hosted};
}

/**
 * Refuses what changes something where that is forbidden, or may be by what of the configuration cannot be read.
 *
 * @param what is not done, as a sentence begins: `Nothing is sent`
 * @throws {UsageError}
 */
export function refuseReadOnly(
	{readOnly, problems}: Pick<Settings, 'readOnly' | 'problems'>,
	what: string,
): void {
	if (!readOnly) return;
	const why = `${what} while lakescope is read-only (--read-only, or readOnly in the configuration).`;
	throw new UsageError([why, ...problems].join('\n'));
}
