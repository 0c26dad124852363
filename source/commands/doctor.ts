import {createClient} from '../client/client.ts';
import {visibleJson} from '../contract/visible-json.ts';
import {KeyFileError} from '../files/key.ts';
import {ServiceStartError} from '../service/front-door.ts';
import {type ChosenService, chooseService, joinLake} from './chosen-service.ts';
import {configurationFindings, fileFindings} from './doctor/configuration.ts';
import {exitCodeOf, type Finding, type Section} from './doctor/finding.ts';
import {notCalled, probeFindings} from './doctor/probes.ts';
import {reportLines} from './doctor/report.ts';
import type {CommandLine, Flags} from './flags.ts';
import {write} from './output.ts';
import {readSettings, type Settings} from './settings.ts';
import {UsageError} from './usage-error.ts';

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
	else await write(reportLines(sections).join('\n'));
	return code;
}
