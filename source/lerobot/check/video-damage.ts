/** The kinds of damage of videos, a part of the table of `damage.ts`. */
export const videoDamageKinds = {
	'video-missing': {
		severity: 'training-fails',
		title: 'A video file is missing',
		lerobot: 'Counts the dataset as incomplete and goes to the Hub for all of it.',
		repair: null,
	},
	'video-unreadable': {
		severity: 'training-fails',
		title: 'A video file has no readable header',
		lerobot: 'Raises as soon as a frame of it is drawn.',
		repair: null,
	},
	'video-unlisted': {
		severity: 'training-fails',
		title: 'An episode does not say where its video is',
		lerobot: 'Raises when it makes the path of the file.',
		repair: null,
	},
	'video-span-past-end': {
		severity: 'training-fails',
		title: "An episode's span lies past the end of its video file",
		lerobot: 'Raises Invalid frame index in a worker, at a random step.',
		repair: 'Writes the spans anew from the lengths, where the file has as many frames.',
	},
	'video-spans-overlap': {
		severity: 'training-worse',
		title: 'Two episodes share a part of a video file',
		lerobot: 'Shows one of them the pictures of the other.',
		repair: 'Writes the spans anew from the lengths, where the file has as many frames.',
	},
	'video-spans-apart': {
		severity: 'cosmetic',
		title: 'A part of a video file belongs to no episode',
		lerobot: 'Never shows it.',
		repair: null,
	},
	'video-span-length': {
		severity: 'training-worse',
		title: "An episode's span is longer or shorter than its frames",
		lerobot: 'Pictures and actions run apart; past the end of the file it raises.',
		repair: 'Writes the spans anew from the lengths, where the file has as many frames.',
	},
	'video-span-off-grid': {
		severity: 'training-fails',
		title: "An episode's span begins between two frames",
		lerobot: 'Raises FrameTimestampError where the distance is beyond tolerance_s.',
		repair: 'Moves the span to the nearest frame.',
	},
	'video-frames-missing': {
		severity: 'training-fails',
		title: 'A video file has fewer frames than its episodes',
		lerobot: 'Raises Invalid frame index when the last frames are drawn; those before may be shifted.',
		repair: null,
	},
	'video-frames-extra': {
		severity: 'training-worse',
		title: 'A video file has more frames than its episodes',
		lerobot: 'Shows a discarded take or another recording where the extra frames lie before the end.',
		repair: null,
	},
	'video-rate-differs': {
		severity: 'training-fails',
		title: 'A video file has another frame rate than meta/info.json says',
		lerobot: 'Raises FrameTimestampError, or shows frames of other moments.',
		repair: null,
	},
	'video-rate-varies': {
		severity: 'training-fails',
		title: 'The frames of a video file are not evenly spaced',
		lerobot: 'Raises FrameTimestampError at the frames that are off.',
		repair: null,
	},
	'videos-swapped': {
		severity: 'training-worse',
		title: 'Video files are swapped',
		lerobot: 'Shows each episode the pictures of the other, and raises past the end of the shorter one.',
		repair: 'Gives the files the names that their lengths fit, where they fit one way alone.',
	},
	'videos-shifted': {
		severity: 'training-worse',
		title: 'Video files are shifted by one or more episodes',
		lerobot: 'Shows episodes the pictures of their neighbours, and raises past the end of shorter ones.',
		repair: 'Gives the files the names that their lengths fit, where they fit one way alone.',
	},
	'video-late-position': {
		severity: 'lerobot-rule',
		title: 'Episodes lie beyond 1024 s of a video file',
		lerobot:
			'Compares times in 32-bit floats, too coarse there for tolerance_s: train with --tolerance_s=0.001.',
		repair: null,
	},
} as const;
