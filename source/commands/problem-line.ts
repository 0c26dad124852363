import type {IngestProblem} from '../contract/local.ts';

/** A problem as a line below its dataset; most messages name their file or episode themselves. */
export function problemLine({file, episode_index, message}: IngestProblem): string {
	if (message.startsWith(file)) return `  ${message}`;
	const names = typeof episode_index === 'number' && !message.startsWith(`Episode ${episode_index}`);
	return `  ${file}${names ? `, episode ${episode_index}` : ''}: ${message}`;
}
