import type {EpisodeListing} from '../../lerobot/episode-listing.ts';
import type {EpisodeFrames} from '../../lerobot/read-data-file.ts';

/** The interface's bound on a task's text. */
const maxTaskLength = 262_144;

/** What an episode's task is: what its metadata says, else what its frames' number stands for. */
export function taskOf(
	{taskIndex}: Pick<EpisodeFrames, 'taskIndex'>,
	listing: EpisodeListing | undefined,
	tasks: ReadonlyMap<number, string>,
): string | null {
	const byFrame = taskIndex === undefined ? undefined : tasks.get(taskIndex);
	return (listing?.tasks[0] ?? byFrame)?.slice(0, maxTaskLength) ?? null;
}
