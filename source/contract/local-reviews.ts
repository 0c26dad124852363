import * as z from 'zod';
import {dateTime, openText, uuid} from './scalars.ts';

/** Episodes that one request may set. */
export const mostReviewed = 20_000;

/** The decisions of a person about an episode; `unreviewed` takes one back, so that the ingest's state counts again. */
const personalStates = ['human_audited', 'rejected', 'unreviewed'] as const;

/** `POST /local/v1/reviews`: what a person decided about some episodes. Shapes of lakescope's own. */
export const reviewRequest = z.lazy(() =>
	z.strictObject({
		episode_ids: z.array(uuid).min(1).max(mostReviewed),
		review_state: z.enum(personalStates),
	}),
);
export type ReviewRequest = z.input<typeof reviewRequest>;

/** An episode whose state was set. */
const reviewedEpisode = z.looseObject({
	episode_id: uuid,
	dataset_id: uuid,
	dataset_name: z.string(),
	episode_index: z.int(),
	/** As it is now, and as it was: setting it to that undoes the request. */
	review_state: openText,
	before: openText,
});

export const reviewResponse = z.looseObject({
	reviews: z.array(reviewedEpisode),
	/** Those that the lake does not hold: they changed or went since they were listed. */
	unknown: z.array(uuid),
});
export type ReviewResponse = z.output<typeof reviewResponse>;

/** A person's decision, by the recording's content: it counts wherever in its dataset the recording lies. */
const reviewMark = z.lazy(() =>
	z.looseObject({
		dataset_name: z.string(),
		episode_revision_id: z.string(),
		/** The index that it had when it was decided. */
		episode_index: z.int(),
		review_state: openText,
		decided_at: dateTime,
	}),
);
export type ReviewMark = z.output<typeof reviewMark>;

export const reviewListQuery = z.lazy(() => z.strictObject({dataset: z.string().max(128).optional()}));

/** `GET /local/v1/reviews`: the latest decisions, newest first. */
export const reviewListResponse = z.looseObject({items: z.array(reviewMark), total_count: z.int()});
export type ReviewListResponse = z.output<typeof reviewListResponse>;
