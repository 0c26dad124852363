import type {SyncStatus} from '../contract/sync-status.ts';
import {generationWords} from '../store/uploads/generation-words.ts';
import {counted} from '../terminal/quantity.ts';

/** What of a dataset is in the lake now; of one that was there already, which generation it is and how far that differs. */
export function takenInWords(status: SyncStatus): string {
	const {episode_count, total_frames, generation} = status;
	const which = generationWords(status).join(', ');
	const again = Number(generation ?? 1) > 1 ? `, as ${which}` : '';
	return `${counted(episode_count ?? 0, 'episode')}, ${counted(total_frames ?? 0, 'frame')}${again}`;
}
