import type {DamageId, ReportDamage} from './damage.ts';
import type {DatasetFacts, EpisodeRow} from './dataset-facts.ts';
import type {EpisodeFrames, FrameFacts} from './frame-facts.ts';
import {EpisodesText, episodesText, frameCount} from './words.ts';

/** The rows that list the episodes, compared with each other and with the frames. */
export function checkEpisodes(facts: DatasetFacts, frames: FrameFacts, report: ReportDamage): void {
	const {episodes, listedIn} = facts;
	if (episodes.length === 0) {
		const message = `${listedIn} lists no episode that can be read.`;
		report({id: 'episodes-missing', file: listedIn, message});
	} else checkNumbers(facts, report);
	checkAgainstFrames(facts, frames, report);
	checkTwice(frames, report);
}

function checkNumbers({episodes, listedIn}: DatasetFacts, report: ReportDamage): void {
	const numbers = episodes.map(({episode}) => episode);
	const seen = new Set<number>();
	const again: number[] = [];
	for (const number of numbers) {
		if (seen.has(number)) again.push(number);
		seen.add(number);
	}
	const file = episodes[0]?.file ?? listedIn;
	if (again.length > 0) {
		const message = `${EpisodesText(again)}: listed more than once.`;
		report({id: 'episode-listed-twice', file, episodes: again, message});
	}
	const sorted = [...seen].sort((a, b) => a - b);
	const gap = sorted.findIndex((number, place) => number !== place);
	if (gap !== -1) {
		const [before, after] = [sorted[gap - 1], sorted[gap]];
		const message =
			before === undefined
				? `The first episode is ${after}, not 0.`
				: `After episode ${before} comes ${after}: later ones do not lie in the row of their number.`;
		report({
			id: 'episode-gap',
			file: rowOf(episodes, after)?.file ?? file,
			episodes: sorted.slice(gap),
			message,
		});
	}
	const unordered = numbers.findIndex((number, row) => row > 0 && number < (numbers[row - 1] ?? 0));
	if (unordered !== -1) {
		const row = episodes[unordered];
		const message = `Episode ${row?.episode} is listed behind episode ${numbers[unordered - 1]}.`;
		report({id: 'episode-order', file: row?.file ?? file, episodes: [row?.episode ?? 0], message});
	}
}

const rowOf = (episodes: readonly EpisodeRow[], episode: number | undefined) =>
	episodes.find(row => row.episode === episode);

/** Collects episodes by kind and file, so that each file has one damage of a kind. */
class Gathered {
	readonly #found = new Map<string, {id: DamageId; file: string; episodes: number[]; first: string}>();

	add(id: DamageId, file: string, episode: number, what: string): void {
		const key = `${id}\n${file}`;
		const found = this.#found.get(key);
		if (found) found.episodes.push(episode);
		else this.#found.set(key, {id, file, episodes: [episode], first: what});
	}

	report(report: ReportDamage): void {
		for (const {id, file, episodes, first} of this.#found.values()) {
			const others = episodes.slice(1);
			const more = others.length === 0 ? '' : `; the same kind in ${episodesText(others)}`;
			report({id, file, episodes, message: `Episode ${episodes[0]}: ${first}${more}.`});
		}
	}
}

function checkAgainstFrames(facts: DatasetFacts, frames: FrameFacts, report: ReportDamage): void {
	const {episodes, listedIn, files} = facts;
	const parts = new Map<number, EpisodeFrames[]>();
	for (const part of frames.episodes) {
		const others = parts.get(part.episode);
		if (others) others.push(part);
		else parts.set(part.episode, [part]);
	}
	const gathered = new Gathered();
	const listed = new Set<number>();
	// Where each data file begins, counted over all rows in the order of the paths.
	const begins = new Map<string, number>();
	let total = 0;
	for (const {file} of frames.files) {
		begins.set(file, total);
		total += frames.rows.get(file) ?? 0;
	}
	for (const row of episodes) {
		if (listed.has(row.episode)) continue;
		listed.add(row.episode);
		const found = parts.get(row.episode);
		const [first] = found ?? [];
		if (!found || !first) {
			// A file that cannot be read may have them, which was said.
			if (row.dataFile !== undefined && files.includes(row.dataFile) && !frames.isWhole) continue;
			const where =
				row.dataFile !== undefined && !files.includes(row.dataFile)
					? `${row.dataFile} is missing`
					: 'no frames';
			gathered.add('episode-without-frames', row.dataFile ?? row.file, row.episode, where);
			continue;
		}
		const rows = found.reduce((sum, part) => sum + part.rows, 0);
		if (row.length !== undefined && row.length !== rows) {
			gathered.add(
				'episode-length-wrong',
				row.file,
				row.episode,
				`listed with ${frameCount(row.length)}, and has ${rows}`,
			);
		}
		if (found.length > 1 || found.some(part => part.lastRow - part.firstRow + 1 !== part.rows)) {
			const where =
				found.length > 1 ? `its frames lie in ${found.length} files` : 'frames of others lie between its own';
			gathered.add('episode-scattered', first.file, row.episode, where);
			continue;
		}
		if (row.dataFile !== undefined && row.dataFile !== first.file) {
			gathered.add(
				'episode-file-wrong',
				row.file,
				row.episode,
				`listed in ${row.dataFile}, and lies in ${first.file}`,
			);
		}
		if (!frames.isWhole || row.from === undefined) continue;
		const from = (begins.get(first.file) ?? 0) + first.firstRow;
		const to = row.to ?? from + rows;
		if (row.from === from && to === from + rows) continue;
		gathered.add(
			'episode-bounds-wrong',
			row.file,
			row.episode,
			`listed as ${row.from}–${to}, and is ${from}–${from + rows}`,
		);
	}
	if (episodes.length > 0) {
		for (const [episode, [part]] of parts) {
			if (listed.has(episode)) continue;
			gathered.add(
				'episode-unlisted',
				part?.file ?? listedIn,
				episode,
				`in the data, and not in ${listedIn}`,
			);
		}
	}
	gathered.report(report);
}

/** Recordings that are there twice: all their numbers are the same. */
function checkTwice({episodes}: FrameFacts, report: ReportDamage): void {
	const seen = new Map<string, EpisodeFrames>();
	for (const episode of episodes) {
		if (episode.rows < 2) continue;
		const key = `${episode.rows} ${episode.content}`;
		const earlier = seen.get(key);
		if (!earlier) seen.set(key, episode);
		else if (earlier.episode !== episode.episode) {
			const message = `Episode ${episode.episode} has the same ${frameCount(episode.rows)} as episode ${earlier.episode}.`;
			report({
				id: 'episode-duplicated',
				file: episode.file,
				episodes: [earlier.episode, episode.episode].sort((a, b) => a - b),
				message,
			});
		}
	}
}
