import {useScreen} from '../../components/screen.tsx';
import {useJobCount, useUploadCount} from '../../hooks/under-way.ts';

/** From where on a terminal shows what is under way beside the lake. */
const least = {width: 140, height: 44} as const;

/** No more of either are shown; the rest is in its view. */
export const mostRows = 4;

/** How many rows the panes beside the lake take, their titles included; none where nothing is to be shown, or no room. */
export function useBesideRows({width, height}: {readonly width: number; readonly height: number}): number {
	const {drawing} = useScreen();
	// A terminal that only prints lines would print another with each second that a job runs.
	const hasRoom = drawing.attributes && width >= least.width && height >= least.height;
	const rows = Math.min(mostRows, Math.max(useUploadCount(), useJobCount()));
	return hasRoom && rows > 0 ? rows + 1 : 0;
}
