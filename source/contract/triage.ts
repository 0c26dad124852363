import * as z from 'zod';

/** A finding about an episode, as the embedded service keeps it among the episode's metrics. */
export const finding = z.object({
	/** The tag that it gave the episode. */
	tag: z.string(),
	/** In words, with the figures it rests on. */
	reason: z.string(),
	/** The channels that it is about, as `stream.channel`, the oddest first. */
	channels: z.array(z.string()),
	/** The stretch of the episode, in seconds; null where it is all of it. */
	from_s: z.number().nullable(),
	to_s: z.number().nullable(),
	/** How far it is from the siblings' median in their spread, and how many of them are less far; null where none were needed. */
	size: z.number().nullable(),
	beyond: z.number().int().nullable(),
	siblings: z.number().int(),
	/** In thresholds: from 1 on it makes an episode suspect. */
	oddness: z.number(),
});
export type Finding = z.output<typeof finding>;

/** A suspect, as `lakescope triage --json` prints it. */
export const suspect = z.object({
	dataset_name: z.string(),
	episode_index: z.number().int(),
	episode_id: z.string(),
	task: z.string().nullable(),
	duration_s: z.number(),
	review_state: z.string(),
	/** In thresholds; 100 for a broken episode. */
	oddness: z.number().nullable(),
	/** The siblings that it was compared with; null where an earlier version did not say. */
	siblings: z.number().int().nullable(),
	/** The second at which to look; null where the finding is of the whole episode. */
	moment_s: z.number().nullable(),
	motion_score: z.number().nullable(),
	/** The version of the motion score; 1 where an earlier lakescope ingested it. */
	motion_score_version: z.number().int(),
	tags: z.array(z.string()),
	findings: z.array(finding),
});
export type Suspect = z.output<typeof suspect>;

/** The document that `lakescope triage --json` prints. */
export const triageReport = z.object({
	/** Suspects that were found. */
	total: z.number().int(),
	/** Episodes that were looked at. */
	episodes: z.number().int(),
	suspects: z.array(suspect),
});
export type TriageReport = z.output<typeof triageReport>;
