import {DatasetError} from '../dataset-error.ts';
import {infoPath} from '../layout.ts';
import type {ReadDatabase} from '../read-database.ts';
import {checkEpisodes} from './check-episodes.ts';
import {checkFrames} from './check-frames.ts';
import {checkInfo} from './check-info.ts';
import {checkLeftovers, checkProgress} from './check-leftovers.ts';
import {checkStats} from './check-stats.ts';
import {checkTasks} from './check-tasks.ts';
import {checkVideos} from './check-videos.ts';
import {type Damage, damageKinds, type ReportDamage, severities} from './damage.ts';
import {readFacts} from './dataset-facts.ts';
import {readFrames} from './frame-facts.ts';

/**
 * Finds the damages of a dataset of v3.0 or v2.1: its metadata is read once, its frames by aggregates alone, of its
 * videos only the headers. Nothing is written.
 *
 * @param database that may read the folder.
 * @returns the worst first, then in the order of the table, files and episodes.
 */
export async function findDamage(
	database: ReadDatabase,
	folder: string,
	signal?: AbortSignal,
): Promise<Damage[]> {
	const found = new Map<string, Damage>();
	const report: ReportDamage = ({episodes = [], ...damage}) => {
		const severity = damage.severity ?? damageKinds[damage.id].severity;
		const key = JSON.stringify([damage.id, damage.file, damage.subject, damage.message]);
		found.set(key, {...damage, severity, episodes});
	};
	try {
		const facts = await readFacts(database, folder, report);
		signal?.throwIfAborted();
		const frames = await readFrames(database, facts, report);
		signal?.throwIfAborted();
		checkInfo(facts, frames, report);
		checkTasks(facts, frames, report);
		checkEpisodes(facts, frames, report);
		await checkFrames(database, facts, frames, report);
		signal?.throwIfAborted();
		await checkStats(database, facts, frames, report);
		signal?.throwIfAborted();
		await checkVideos(facts, frames, report);
		await checkLeftovers(facts, frames, report);
		await checkProgress(database, facts, frames, report);
	} catch (error) {
		if (!(error instanceof DatasetError)) throw error;
		report({id: 'info-unreadable', file: infoPath, message: error.message});
	}
	signal?.throwIfAborted();
	return [...found.values()].sort(compareDamages);
}

const kindPlaces = new Map(Object.keys(damageKinds).map((id, place) => [id, place]));

function compareDamages(a: Damage, b: Damage): number {
	return (
		severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
		(kindPlaces.get(a.id) ?? 0) - (kindPlaces.get(b.id) ?? 0) ||
		(a.file < b.file ? -1 : Number(a.file > b.file)) ||
		(a.episodes[0] ?? -1) - (b.episodes[0] ?? -1)
	);
}
