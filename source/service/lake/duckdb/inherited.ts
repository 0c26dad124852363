import type {DuckDBConnection} from '@duckdb/node-api';
import {suspectTags} from '../../../contract/local-explore.ts';
import {heldMetrics, metricOf} from '../../../contract/metrics.ts';
import type {Mark} from '../engine.ts';
import type {Database} from './database.ts';
import {Parameters} from './parameters.ts';

/** Keys of an episode's details that say how it compares with its siblings. */
const findingKeys = [
	'suspect_reasons',
	'suspect_channels',
	'suspect_at_s',
	'findings',
	'siblings',
	'siblings_note',
] as const;

/** Metrics of the motion: the same content has the same, however its videos are cut. */
const motionColumns = heldMetrics.filter(name => metricOf(name)?.isOfVideos !== true);

/**
 * True if a staged child has the content of its parent. A figure that a parent from an earlier version lacks tells nothing.
 * A dataset that is composed without a feature that not all parents
 * have gives its episodes other revisions; those are told by their figures, which are exact for the same motion.
 */
const isSameContent = `(
	staged.revision = parent.revision
	OR (
		staged.task IS NOT DISTINCT FROM profile.task
		AND ${['frame_count', 'duration_s', ...motionColumns]
			.map(column => `(parent.${column} IS NULL OR staged.${column} IS NOT DISTINCT FROM parent.${column})`)
			.join(' AND ')}
	)
)`;

const parentsOfStaged = (datasetName: string) => `
	FROM staged_episode staged
	JOIN dataset ON dataset.dataset_name = staged.parent_dataset AND dataset.dataset_name <> ${datasetName}
	JOIN episode parent
		ON parent.dataset_key = dataset.dataset_key AND parent.episode_index = staged.parent_episode_index
	JOIN profile ON profile.profile_key = parent.profile_key
	WHERE ${isSameContent}`;

/**
 * Gives staged children the findings of their parents while their content is the same: an episode is judged beside the
 * siblings that it was recorded with, wherever it is copied to. A parent that had too few siblings leaves the child its own
 * findings.
 */
export async function inheritFindings(
	database: Database,
	connection: DuckDBConnection,
	datasetName: string,
): Promise<void> {
	const bound = new Parameters();
	const doubts = bound.texts([...suspectTags]);
	const isSuspectTag = `lambda tag: list_contains(${doubts}, tag)`;
	const isOther = `lambda tag: NOT list_contains(${doubts}, tag)`;
	// A key that the parent lacks is null here, which takes the child's own out.
	const findings = findingKeys.map(key => `'${key}', json_extract(parent.details, '$.${key}')`).join(', ');
	await database.run(
		connection,
		`UPDATE staged_episode SET
			tags = list_concat(list_filter(staged_episode.tags, ${isOther}), found.tags),
			doubt = found.doubt,
			review_state = found.review_state,
			details = json_merge_patch(coalesce(staged_episode.details, '{}')::JSON, found.findings)::VARCHAR
		FROM (
			SELECT staged.episode_index, parent.doubt, list_filter(profile.tags, ${isSuspectTag}) AS tags,
				coalesce(
					parent.ingested_state,
					CASE WHEN parent.doubt >= 1 THEN 'unreviewed'::review_state ELSE staged.review_state END
				) AS review_state,
				json_object(${findings}) AS findings
			${parentsOfStaged(bound.text(datasetName))} AND parent.doubt IS NOT NULL
		) found
		WHERE found.episode_index = staged_episode.episode_index`,
		bound,
	);
}

/**
 * Decisions about the parents of staged children whose content is the same. Only a recording that is new in its
 * dataset begins with it: what is decided about the child later is its own. Of one recording that lies there twice,
 * "rejected" counts.
 */
export async function inheritedMarks(
	database: Database,
	connection: DuckDBConnection,
	datasetName: string,
): Promise<readonly Mark[]> {
	const bound = new Parameters();
	const name = bound.text(datasetName);
	return await database.rows<Mark>(
		connection,
		`SELECT ${name} AS "datasetName", lower(hex(staged.revision)) AS revision,
			min(staged.episode_index) AS "episodeIndex", max(parent.review_state::VARCHAR) AS state
		${parentsOfStaged(name)}
			AND parent.review_state IN ('human_audited', 'rejected')
			AND staged.revision NOT IN (
				SELECT held.revision FROM episode held JOIN dataset own USING (dataset_key)
				WHERE own.dataset_name = ${name} AND held.revision IS NOT NULL
			)
		GROUP BY staged.revision ORDER BY min(staged.episode_index)`,
		bound,
	);
}
