/** Where LeRobot v2.1 keeps things under a dataset's root: one data file, and one video a camera, an episode. */
export const tasksPathV21 = 'meta/tasks.jsonl';
export const episodesPathV21 = 'meta/episodes.jsonl';
export const episodeStatsPathV21 = 'meta/episodes_stats.jsonl';
export const subtasksPathV21 = 'meta/subtasks.jsonl';
export const defaultDataPathV21 = 'data/chunk-{episode_chunk:03d}/episode_{episode_index:06d}.parquet';
export const defaultVideoPathV21 =
	'videos/chunk-{episode_chunk:03d}/{video_key}/episode_{episode_index:06d}.mp4';
/** Episodes in a chunk folder, where `info.json` does not say. */
export const defaultChunksSizeV21 = 1000;
