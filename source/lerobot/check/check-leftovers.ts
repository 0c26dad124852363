import {stat} from 'node:fs/promises';
import path from 'node:path';
import {reasonOf} from '../dataset-error.ts';
import {templateMatcher, videosFolder} from '../layout.ts';
import type {ReadDatabase} from '../read-database.ts';
import {quotedString} from '../sql.ts';
import type {ReportDamage} from './damage.ts';
import {type DatasetFacts, wholeParquet} from './dataset-facts.ts';
import {type FrameFacts, framesFrom} from './frame-facts.ts';

const many = (files: readonly string[]) => (files.length === 1 ? '' : `, and ${files.length - 1} more`);

/** Files that nothing uses, and what unfinished work left. */
export async function checkLeftovers(
	facts: DatasetFacts,
	frames: FrameFacts,
	report: ReportDamage,
): Promise<void> {
	const {files, episodes, root} = facts;
	const say = (
		id: 'data-file-stray' | 'video-unused' | 'leftover-images' | 'leftover-temporary',
		found: readonly string[],
		what: string,
	) => {
		const [file] = found;
		if (file !== undefined) report({id, file, message: `${file}${many(found)}: ${what}.`});
	};
	if (episodes.length > 0) {
		const used = new Set(episodes.flatMap(({videos}) => videos.flatMap(({file}) => file ?? [])));
		say(
			'video-unused',
			files.filter(file => file.startsWith(`${videosFolder}/`) && file.endsWith('.mp4') && !used.has(file)),
			'no episode uses it',
		);
		const named = new Set(episodes.flatMap(({dataFile}) => dataFile ?? []));
		const withEpisodes = new Set(frames.episodes.map(({file}) => file));
		const isData = templateMatcher(path.posix.normalize(facts.info.data_path));
		say(
			'data-file-stray',
			files.filter(
				file =>
					/^data\/[^/]+\/[^/]+\.parquet$/.test(file) &&
					!named.has(file) &&
					!(withEpisodes.has(file) && isData(file)),
			),
			'no episode is listed in it',
		);
	}
	say(
		'leftover-images',
		files.filter(file => /^images\/.+\.(png|tiff?|jpe?g)$/.test(file)),
		'a picture of an episode that was not encoded',
	);
	say(
		'leftover-temporary',
		files.filter(
			file => /^(tmp[^/]{8}|\.annotate_staging|temp_images)\//.test(file) || file.endsWith('.parquet.tmp'),
		),
		'left by work that did not finish',
	);
	const old = `${path.basename(root)}_old`;
	const info = path.join(path.dirname(root), old, 'meta/info.json');
	if (await stat(info).catch(() => undefined)) {
		report({id: 'leftover-old-copy', file: `../${old}`, message: `${old} lies beside this dataset.`});
	}
}

const progressFile = /^[a-z0-9]+_progress\.parquet$/;

/** Progress of reward models, whose rows must be those of the frames. */
export async function checkProgress(
	database: ReadDatabase,
	{root, files}: DatasetFacts,
	frames: FrameFacts,
	report: ReportDamage,
): Promise<void> {
	const places = ['index', 'episode_index', 'frame_index'];
	const having = frames.files.filter(({columns}) => places.every(name => columns.has(name)));
	if (!frames.isWhole || having.length === 0) return;
	for (const file of files.filter(name => progressFile.test(name))) {
		const whole = await wholeParquet(root, file, report);
		if (whole === undefined) continue;
		try {
			const names = await database.columnsOf(whole);
			const lost = places.find(name => !names.has(name));
			if (lost !== undefined) {
				report({id: 'progress-wrong', file, message: `${file} has no column "${lost}".`});
				continue;
			}
			const read = await database.query(
				`SELECT p.episode_index::BIGINT AS episode, count(*) AS n
				FROM read_parquet(${quotedString(whole)}) p
				LEFT JOIN (SELECT "index" AS i, episode_index AS e, frame_index AS f FROM ${framesFrom(having)}) d
					ON p."index" = d.i AND p.episode_index = d.e AND p.frame_index = d.f
				WHERE d.i IS NULL GROUP BY ALL ORDER BY ALL`,
			);
			const rows = read.getRows();
			if (rows.length === 0) continue;
			const count = rows.reduce((sum, row) => sum + Number(row[1]), 0);
			const episodes = rows.flatMap(([episode]) => (episode === null ? [] : [Number(episode)]));
			const message = `${file} has ${count} rows whose index, episode_index and frame_index are of no frame.`;
			report({id: 'progress-wrong', file, episodes, message});
		} catch (error) {
			report({id: 'parquet-unreadable', file, message: `${file} cannot be read (${reasonOf(error)}).`});
		}
	}
}
