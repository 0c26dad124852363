import {stat} from 'node:fs/promises';
import path from 'node:path';
import {type Config, readConfig} from '../../files/config.ts';
import {fileProblem, systemCode} from '../../files/file-problem.ts';
import {keyFileOf, locateKey} from '../../files/key.ts';
import {places, shortPath} from '../../files/places.ts';
import {findProfile} from '../../files/profile.ts';
import type {Flags} from '../flags.ts';
import type {Settings} from '../settings.ts';
import type {Finding} from './finding.ts';

type Source = readonly [value: unknown, place: string];

/** The first place that gives a value. */
const placeOf = (sources: readonly Source[]) => sources.find(([value]) => value)?.[1] ?? 'the default';

async function keyFinding(
	env: NodeJS.ProcessEnv,
	config: Config,
	{hosted, profile}: Settings,
): Promise<Finding> {
	const subject = 'key';
	if (hosted === undefined)
		return {state: 'ok', subject, words: 'of the embedded service, found by itself in its runtime file'};
	const found = await locateKey(config, env, profile);
	return found
		? {state: 'ok', subject, words: `from ${found.place}, ${found.key.length} characters`}
		: {state: 'note', subject, words: 'none: lakescope key keeps one, or set LAKESCOPE_API_KEY'};
}

/** Which actions have keys of the user's own, and what of that can't be used. */
async function keyFindings(written: Settings['keys']): Promise<Finding[]> {
	if (Object.keys(written).length === 0) return [];
	const {readKeys} = await import('../../app.tsx');
	const {overrides, problems} = readKeys(written);
	const actions = Object.keys(overrides);
	return [
		...(actions.length === 0
			? []
			: [{state: 'ok', subject: 'keys', words: `own ones for ${actions.join(', ')}`} as const]),
		...problems.map((words): Finding => ({state: 'problem', subject: 'keys', words})),
	];
}

/** What is configured, and which of flags, environment and file each value comes from. */
export async function configurationFindings(
	settings: Settings,
	flags: Flags,
	env: NodeJS.ProcessEnv = process.env,
): Promise<Finding[]> {
	const {config: whole, file} = await readConfig();
	const {hosted, lakeFolder, sample, readOnly, profile} = settings;
	const config = profile === undefined ? whole : (findProfile(whole, profile)?.config ?? whole);
	const from = placeOf(
		hosted
			? [
					[flags.url, '--url'],
					[env.LAKESCOPE_URL, 'LAKESCOPE_URL'],
					[config.url, shortPath(file)],
				]
			: [
					[flags.lake, '--lake'],
					[flags.sample, '--sample'],
					[env.LAKESCOPE_LAKE, 'LAKESCOPE_LAKE'],
					[config.lake, shortPath(file)],
				],
	);
	const lake = sample ? places().sample : lakeFolder;
	const account = placeOf([
		[flags.account, '--account'],
		[env.LAKESCOPE_ACCOUNT_ID, 'LAKESCOPE_ACCOUNT_ID'],
		[config.account, shortPath(file)],
	]);
	const readOnlyPlace = placeOf([
		[flags['read-only'], '--read-only'],
		[config.readOnly !== undefined, shortPath(file)],
	]);
	const service = hosted
		? `${hosted.baseUrl} (${from})`
		: `embedded, ${sample ? 'the sample' : 'the lake'} in ${shortPath(lake)} (${from})`;
	return [
		{state: 'ok', subject: 'service', words: service},
		...(profile === undefined ? [] : [{state: 'ok', subject: 'profile', words: profile} as const]),
		await keyFinding(env, config, settings),
		{
			state: 'ok',
			subject: 'account',
			words: hosted?.accountId ? `${hosted.accountId} (${account})` : "the key's own",
		},
		{state: 'ok', subject: 'read-only', words: `${readOnly ? 'yes' : 'no'} (${readOnlyPlace})`},
		...settings.problems.map((words): Finding => ({state: 'problem', subject: 'configuration', words})),
		...(await keyFindings(settings.keys)),
	];
}

/** How a file or folder stands; what holds secrets must be this user's alone. */
async function fileFinding(subject: string, file: string, secret: boolean): Promise<Finding> {
	try {
		const {mode} = await stat(file);
		const octal = (mode & 0o777).toString(8).padStart(4, '0');
		const open = secret && (mode & 0o077) !== 0;
		return {
			state: open ? 'problem' : 'ok',
			subject,
			words: `${shortPath(file)} ${octal}${open ? `: others may read it. Run: chmod go= ${file}` : ''}`,
		};
	} catch (error) {
		if (systemCode(error) === 'ENOENT')
			return {state: 'ok', subject, words: `${shortPath(file)} (not there)`};
		return {
			state: 'problem',
			subject,
			words: `${shortPath(file)} cannot be looked at: ${fileProblem(error)}`,
		};
	}
}

/** The files that lakescope keeps, and who may read them. */
export async function fileFindings({hosted, lakeFolder, sample, profile}: Settings): Promise<Finding[]> {
	const {state, cache, sample: sampleFolder} = places();
	const lake = sample ? sampleFolder : lakeFolder;
	const {config: read, file} = await readConfig();
	return Promise.all([
		fileFinding('configuration', file, read.key !== undefined),
		fileFinding('key', keyFileOf(profile), true),
		fileFinding('state', state, false),
		fileFinding('cache', cache, false),
		...(hosted
			? []
			: [
					fileFinding('lake', lake, false),
					fileFinding('episodes', path.join(lake, 'lake.duckdb'), false),
					fileFinding('operations', path.join(lake, 'operations.db'), false),
					fileFinding('log', path.join(lake, 'service.log'), false),
				]),
	]);
}
