import * as z from 'zod';

/** Reads an answer of 4.8 in any of its shapes, which the document leaves open. */
export type DatasetFilesRead = {
	/** In the order they came. */
	readonly files: readonly {readonly path: string; readonly size: number | undefined}[];
	/** The card's Markdown. */
	readonly readme: string | undefined;
	/** The YAML that the card began with, where it was taken off. */
	readonly frontMatter: string | undefined;
	readonly totalSize: number | undefined;
	/** There are more files, or more of the card, than are listed. */
	readonly isCut: boolean;
};

const size = z.lazy(() =>
	z
		.union([z.number(), z.bigint().transform(Number)])
		.nullish()
		.catch(undefined),
);

const file = z.lazy(() =>
	z
		.union([
			z.looseObject({path: z.string(), size, bytes: size}),
			z
				.looseObject({name: z.string(), size, bytes: size})
				.transform(({name, ...rest}) => ({...rest, path: name})),
		])
		.transform(({path, size: of, bytes}) => ({path, size: of ?? bytes ?? undefined})),
);

const files = z.array(file);

const markdown = z.lazy(() =>
	z.union([
		z.string(),
		z.looseObject({content: z.string()}).transform(({content}) => content),
		z.looseObject({markdown: z.string()}).transform(({markdown: text}) => text),
		z.looseObject({text: z.string()}).transform(({text}) => text),
	]),
);

const answer = z.looseObject({total_size: size});

function firstOf<Schema extends z.ZodType>(
	body: Readonly<Record<string, unknown>>,
	names: readonly string[],
	schema: Schema,
): z.output<Schema> | undefined {
	for (const name of names) {
		const read = schema.safeParse(body[name]);
		if (read.success) return read.data;
	}
	return undefined;
}

/** Reads the files and the card out of an answer by their shape; undefined where neither can be told. */
export function readDatasetFiles(body: unknown): DatasetFilesRead | undefined {
	const list = files.safeParse(body);
	if (list.success) {
		return {files: list.data, readme: undefined, frontMatter: undefined, totalSize: undefined, isCut: false};
	}
	const read = answer.safeParse(body);
	if (!read.success) return undefined;
	const found = firstOf(read.data, ['files', 'tree', 'items', 'entries'], files);
	const readme = firstOf(read.data, ['readme', 'card', 'dataset_card', 'readme_md'], markdown);
	if (found === undefined && readme === undefined) return undefined;
	return {
		files: found ?? [],
		readme,
		frontMatter: firstOf(read.data, ['readme_front_matter'], z.string()),
		totalSize: read.data.total_size ?? undefined,
		isCut: read.data.truncated === true || read.data.readme_truncated === true,
	};
}
