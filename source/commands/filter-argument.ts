import type {Client} from '../client/client.ts';
import type {CallOptions} from '../client/options.ts';
import {resolveDataset} from '../client/resolve-dataset.ts';
import type {ExploreRequest} from '../contract/explore.ts';
import type {Filter} from '../query/filter.ts';
import {parse} from '../query/parse.ts';
import {isDatasetId, toExploreRequest} from '../query/request.ts';
import {printable} from '../terminal/printable.ts';
import {textWidth} from '../terminal/width.ts';
import {UsageError} from './usage-error.ts';

/**
 * The filter that the words of a command line say.
 *
 * @throws {UsageError} with the line, its problems and marks below them.
 */
export function readFilter(words: readonly string[]): Filter {
	const line = words.join(' ');
	const result = parse(line);
	if (result.ok) return result.filter;
	const [first] = result.problems;
	const before = textWidth(printable(line.slice(0, first.offset)));
	const marked = textWidth(printable(line.slice(first.offset, first.offset + first.length)));
	const sentences = result.problems.map(({message}) => message).join('\n');
	throw new UsageError(
		`The filter cannot be read.\n  ${line}\n  ${' '.repeat(before)}${'^'.repeat(Math.max(1, marked))}\n${sentences}`,
	);
}

/**
 * The request that a filter stands for, with its datasets looked up by name.
 *
 * @throws {UsageError} naming the datasets that the service does not know.
 */
export async function requestFor(
	client: Client,
	filter: Filter,
	options?: CallOptions,
): Promise<ExploreRequest> {
	const names = filter.datasets.filter(dataset => !isDatasetId(dataset));
	const found = await Promise.all(
		names.map(async name => [name, await resolveDataset(client, name, options)] as const),
	);
	const ids = new Map(found);
	const result = toExploreRequest(filter, name => ids.get(name));
	if (result.ok) return result.request;
	const unknown = result.unknownDatasets.join(', ');
	throw new UsageError(`No dataset is called ${unknown}. See lakescope datasets.`);
}
