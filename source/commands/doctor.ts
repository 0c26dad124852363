import {stat} from 'node:fs/promises';
import path from 'node:path';
import {createClient} from '../client/client.ts';
import {visibleJson} from '../contract/json-text.ts';
import {type Config, findProfile, readConfig} from '../files/config.ts';
import {fileProblem, systemCode} from '../files/file-problem.ts';
import {KeyFileError, keyFileOf, locateKey} from '../files/key.ts';
import {places, shortPath} from '../files/places.ts';
import {lakeFileOf, ServiceStartError} from '../service/front-door.ts';
import {printable} from '../terminal/printable.ts';
import {type ChosenService, chooseService, joinLake} from './chosen-service.ts';
import {
	exitCodeOf,
	type Finding,
	notCalled,
	probeFindings,
	type Section,
	type State,
} from './doctor-probes.ts';
import type {CommandLine, Flags} from './flags.ts';
import {UsageError} from './print/failure.ts';
import {drawingOn, outputWidth, write} from './print/output.ts';
import {readSettings, type Settings} from './settings.ts';

/** The service that is configured; a lake that holds nothing is looked at all the same, and no sample is written. */
async function chosen(settings: Settings): Promise<ChosenService | Finding> {
	try {
		return settings.hosted || settings.sample
			? await chooseService(settings)
			: await joinLake(settings.lakeFolder);
	} catch (error) {
		if (!(error instanceof ServiceStartError)) throw error;
		return {state: 'unreachable', subject: 'embedded service', words: error.message};
	}
}

async function answers(settings: Settings): Promise<Section> {
	const service = await chosen(settings);
	if ('state' in service) return {title: 'Answers', findings: [service]};
	const client = createClient({
		...service.clientOptions,
		retry: {tries: 1},
		timeouts: {headers: 10_000, overall: 15_000},
	});
	try {
		const embedded = service.kind !== 'hosted';
		const findings = await probeFindings(client, embedded);
		const reached = findings.every(({state}) => state !== 'unreachable');
		return {
			title: `Answers of ${client.address.shown}`,
			findings: reached
				? [
						...findings,
						{
							state: 'note',
							subject: 'not called',
							words: `${notCalled.join(', ')}: they change something`,
						},
					]
				: findings,
		};
	} finally {
		await client.close();
		service.leave();
	}
}

async function examine(flags: Flags): Promise<Section[]> {
	try {
		const settings = await readSettings(flags);
		return [
			{title: 'Configured', findings: await configurationFindings(settings, flags)},
			await answers(settings),
			// Last: using the service is what makes some of them.
			{title: 'Files', findings: await fileFindings(settings)},
		];
	} catch (error) {
		if (!(error instanceof KeyFileError)) throw error;
		return [{title: 'Configured', findings: [{state: 'refused', subject: 'key', words: error.message}]}];
	}
}

/** A table of fewer columns holds too little; lines wrap as they do anywhere. */
const leastTableWidth = 44;

/** `lakescope doctor [--json]`: what is configured, what answers, what breaks the contract. */
export async function doctor({words, flags}: CommandLine): Promise<number> {
	if (words.length > 0) throw new UsageError(`lakescope doctor takes no "${words[0]}".`);
	const runtime: Finding = {
		state: 'ok',
		subject: 'Node',
		words: `${process.versions.node} (${process.execPath})`,
	};
	const sections: readonly Section[] = [{title: 'Runtime', findings: [runtime]}, ...(await examine(flags))];
	const code = exitCodeOf(sections);
	if (flags.json) await write(`${visibleJson(JSON.stringify({exit_code: code, sections}))}\n`);
	else await write(await reportText(sections));
	return code;
}

/** Tables on a terminal, lines elsewhere. */
async function reportText(sections: readonly Section[]): Promise<string> {
	const drawing = drawingOn(process.stdout);
	const width = outputWidth();
	if (drawing === undefined || width < leastTableWidth) return reportLines(sections).join('\n');
	const {findingTables} = await import('./print/finding-tables.tsx');
	return findingTables(sections, {width, utf8: drawing.utf8});
}

type Source = readonly [value: unknown, place: string];

/** The first place that gives a value. */
const locationOf = (sources: readonly Source[]) => sources.find(([value]) => value)?.[1] ?? 'the default';

async function keyFinding(
	env: NodeJS.ProcessEnv,
	config: Config,
	{hosted, profile}: Settings,
): Promise<Finding> {
	const subject = 'key';
	if (hosted === undefined)
		return {state: 'ok', subject, words: 'of the embedded service, found in its runtime file'};
	const found = await locateKey(config, env, profile);
	return found
		? {state: 'ok', subject, words: `from ${found.place}, ${found.key.length} characters`}
		: {
				state: 'note',
				subject,
				words: `none: ${profile === undefined ? 'lakescope key' : `lakescope key --profile ${profile}`} stores one, or set LAKESCOPE_API_KEY`,
			};
}

/** Which actions have keys of the user's own, and what of that can't be used. */
async function keyFindings(written: Settings['keys']): Promise<Finding[]> {
	if (Object.keys(written).length === 0) return [];
	const {readKeys} = await import('../app.tsx');
	const {overrides, problems} = readKeys(written);
	const actions = Object.keys(overrides);
	return [
		...(actions.length === 0
			? []
			: [{state: 'ok', subject: 'keys', words: `own ones for ${actions.join(', ')}`} as const]),
		...problems.map((words): Finding => ({state: 'problem', subject: 'keys', words})),
	];
}

/** The configured values, each with its source: flag, environment or file. */
export async function configurationFindings(
	settings: Settings,
	flags: Flags,
	env: NodeJS.ProcessEnv = process.env,
): Promise<Finding[]> {
	const {config: whole, file} = await readConfig();
	const {hosted, lakeFolder, sample, readOnly, profile} = settings;
	const config = profile === undefined ? whole : (findProfile(whole, profile)?.config ?? whole);
	const from = locationOf(
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
	const account = locationOf([
		[flags.account, '--account'],
		[env.LAKESCOPE_ACCOUNT_ID, 'LAKESCOPE_ACCOUNT_ID'],
		[config.account, shortPath(file)],
	]);
	const readOnlyPlace = locationOf([
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

/** Checks a file or folder; one with secrets must be readable by this user alone. */
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
			words: `${shortPath(file)} cannot be inspected: ${fileProblem(error)}`,
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
					fileFinding('episodes', lakeFileOf(lake), false),
					fileFinding('operations', path.join(lake, 'operations.db'), false),
					fileFinding('log', path.join(lake, 'service.log'), false),
				]),
	]);
}

const signs: Readonly<Record<State, string>> = {
	ok: 'ok',
	note: '--',
	problem: '!!',
	refused: '!!',
	unreachable: '!!',
	breach: '!!',
};

/** A finding as lines; every text in it may come from elsewhere. */
function linesOf({state, subject, words, ms, breaches = []}: Finding, width: number): string[] {
	const time = ms === undefined ? '' : `  ${ms.toFixed(0)} ms`;
	const line = `  ${signs[state]}  ${subject.padEnd(width)}  ${printable(words)}${time}`;
	const where = breaches.map(
		({path, expected, found}) => `        ${printable(`${path}: expected ${expected}, found ${found}`)}`,
	);
	return [line, ...where];
}

/** The sections as lines for people. */
export function reportLines(sections: readonly Section[]): string[] {
	return sections.flatMap(({title, findings}) => {
		const width = Math.max(...findings.map(({subject}) => subject.length));
		return [printable(title), ...findings.flatMap(finding => linesOf(finding, width)), ''];
	});
}
