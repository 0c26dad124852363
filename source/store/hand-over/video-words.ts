import type {ComposeSummary} from '../../contract/local-compose.ts';

/** How counts and sizes are written. */
type Written = {
	readonly counted: (count: number, noun: string) => string;
	readonly byteSize: (bytes: number) => string;
};

/** How many bytes the videos of a composed dataset take, and what of it is the parents' own; undefined without any. */
export function videoWords(
	{videos, videos_cut = 0, video_bytes, video_bytes_linked = 0}: ComposeSummary,
	{counted, byteSize}: Written,
): string | undefined {
	if (videos === 0 || video_bytes === undefined) return undefined;
	const which = videos_cut === videos ? '' : `${videos_cut} of them `;
	const cut = videos_cut > 0 ? `, ${which}cut to the chosen episodes` : '';
	const linked =
		video_bytes_linked > 0 ? `, ${byteSize(video_bytes_linked)} of that shared with the parents` : '';
	return `${counted(videos, 'video file')}${cut}: ${byteSize(video_bytes)}${linked}`;
}
