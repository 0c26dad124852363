import type {EpisodeSort} from '../../contract/local-explore.ts';

/** Most unlike its siblings first. */
export const worstFirst: EpisodeSort = {by: 'doubt', direction: 'desc'};
