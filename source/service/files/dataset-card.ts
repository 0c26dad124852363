import {constants} from 'node:fs';
import {open} from 'node:fs/promises';
import {datasetFileLimits} from '../../contract/dataset-files-shape.ts';
import {locate} from '../../lerobot/layout.ts';

export type DatasetCard = {
	/** Markdown, without the front matter. */
	readonly text: string;
	/** YAML, as it stands between the lines of `---`. */
	readonly frontMatter: string | null;
	readonly truncated: boolean;
};

/**
 * Reads README.md at a dataset's root.
 *
 * @param root as `realpath` gives it
 * @returns undefined where there is none that is a file inside the dataset and may be read
 */
export async function datasetCard(root: string): Promise<DatasetCard | undefined> {
	const located = await locate(root, 'README.md');
	if (!located.found) return undefined;
	// What was found is no link; that it is no other file by now, and none that is waited for, the flags see to.
	const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
	const file = await open(located.path, flags).catch(() => undefined);
	if (!file) return undefined;
	try {
		if (!(await file.stat()).isFile()) return undefined;
		const limit = datasetFileLimits.readmeBytes;
		const {buffer, bytesRead} = await file.read(Buffer.alloc(limit + 1), 0, limit + 1, 0);
		const truncated = bytesRead > limit;
		// As a stream: a character that the bound cuts in two is left out.
		const text = new TextDecoder().decode(buffer.subarray(0, Math.min(bytesRead, limit)), {
			stream: truncated,
		});
		return {...splitCard(text), truncated};
	} finally {
		await file.close();
	}
}

function splitCard(text: string): {text: string; frontMatter: string | null} {
	const found = /^---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)?---[ \t]*(?:\r?\n|$)/.exec(text);
	return found
		? {text: text.slice(found[0].length).replace(/^(\r?\n)+/, ''), frontMatter: found[1] ?? ''}
		: {text, frontMatter: null};
}
