import * as z from 'zod';

/**
 * The answer of `GET /v1/datasets/{dataset_id}/image-keys` as the embedded service gives it; the document leaves it
 * open. `image_keys` are what a fine-tune's `camera_mappings` may hold as values.
 */
export const ownImageKeys = z.lazy(() =>
	z.looseObject({
		dataset_id: z.string(),
		/** `local/NAME`. */
		path: z.string(),
		image_keys: z.array(z.string()),
		/** The same keys, in the same order, with what the dataset declares of them. */
		features: z.array(
			z.looseObject({
				key: z.string(),
				/** `video` or `image`. */
				dtype: z.string(),
				/** As the dataset orders it, usually height, width, channels. */
				shape: z.array(z.number()),
			}),
		),
	}),
);
export type OwnImageKeys = z.output<typeof ownImageKeys>;

const keys = z.array(z.string());

/** The forms in which a list of keys can be told from anything else. */
const readable = z.lazy(() =>
	z.union([
		keys,
		z.looseObject({image_keys: keys}).transform(body => body.image_keys),
		z.looseObject({keys}).transform(body => body.keys),
		z.looseObject({items: keys}).transform(body => body.items),
		z.looseObject({data: keys}).transform(body => body.data),
	]),
);

/** Reads the image keys out of an answer whose shape the document does not show; undefined where it is another. */
export function readImageKeys(body: unknown): readonly string[] | undefined {
	const read = readable.safeParse(body);
	return read.success ? read.data : undefined;
}
