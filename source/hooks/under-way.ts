import {useStore} from 'zustand';
import {recentJobs, recentUploads} from '../store/under-way/recent-work.ts';
import {useExplorer} from './explorer.tsx';

/** How many uploads are under way or have just ended; who asks renders again only when that is another number. */
export function useUploadCount(): number {
	return useStore(useExplorer().uploads.known, ({entries}) => recentUploads(entries, Date.now()).length);
}

/** The same of jobs. */
export function useJobCount(): number {
	return useStore(useExplorer().jobs.known, ({jobs}) => recentJobs(jobs, Date.now()).length);
}
