import * as z from 'zod';

/**
 * What the episodes of one task and embodiment in a dataset are usually like. Null where it is not known.
 * Shapes of lakescope's own.
 */
export const siblingGroup = z.looseObject({
	task: z.string().nullable(),
	/** How many they are. */
	episodes: z.int(),
	/** Their duration, in the median. */
	seconds: z.number().nullable(),
	/** Their speed in equal parts of their course, in the median, in the robot's own units a second. */
	speed: z.array(z.number().nullable()),
	/** The action's channels: what nine of ten stay within, and between what the median one moves. */
	channels: z.array(
		z.looseObject({
			name: z.string(),
			low: z.number().nullable(),
			usual_low: z.number().nullable(),
			usual_high: z.number().nullable(),
			high: z.number().nullable(),
		}),
	),
});
export type SiblingGroup = z.output<typeof siblingGroup>;
