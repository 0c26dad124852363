import {videoDamageKinds} from './video-damage.ts';

/** How bad a damage is, the worst first. `lerobot-rule`: LeRobot itself writes it so. */
export const severities = ['training-fails', 'training-worse', 'cosmetic', 'lerobot-rule'] as const;
export type Severity = (typeof severities)[number];

/** A kind of damage that a dataset can have. */
export type DamageKind = {
	/** How bad it usually is; what is found may be less so, as wrong timestamps are where no camera is a video. */
	readonly severity: Severity;
	/** Its name, in a few words. */
	readonly title: string;
	/** Its effect in LeRobot, a sentence. */
	readonly lerobot: string;
	/** The effect of its repair, a sentence; null if there is none. */
	readonly repair: string | null;
};

/** Every kind of damage, by the id that people and programs name it by. Ids stay what they are. */
export const damageKinds = {
	'info-unreadable': {
		severity: 'training-fails',
		title: 'meta/info.json is missing or broken',
		lerobot: 'Does not load the dataset: a missing file sends it to the Hub, a broken one raises.',
		repair: null,
	},
	'parquet-without-footer': {
		severity: 'training-fails',
		title: 'A parquet file lacks its end',
		lerobot: 'Does not load the dataset: Parquet magic bytes not found in footer.',
		repair: 'Keeps the whole episodes before it, puts the file aside, and counts again.',
	},
	'parquet-unreadable': {
		severity: 'training-fails',
		title: 'A parquet file cannot be read',
		lerobot: 'Does not load the dataset: reading the file raises ArrowInvalid.',
		repair: null,
	},
	'version-mixed': {
		severity: 'training-fails',
		title: 'The files are of another version than meta/info.json says',
		lerobot: 'Looks for the files of the version that is stated, and for all of them on the Hub.',
		repair: null,
	},
	'total-episodes-wrong': {
		severity: 'training-fails',
		title: 'total_episodes is not the number of episodes',
		lerobot:
			'Asks for episodes that are not there and goes to the Hub for them, or leaves the last ones out.',
		repair: 'Writes the number of episodes into meta/info.json.',
	},
	'total-frames-wrong': {
		severity: 'training-worse',
		title: 'total_frames is not the number of frames',
		lerobot: 'Counts epochs by it, and a merge places the frames of the next dataset by it.',
		repair: 'Writes the number of frames into meta/info.json.',
	},
	'total-tasks-wrong': {
		severity: 'cosmetic',
		title: 'total_tasks is not the number of tasks',
		lerobot: 'Shows it; a new task of a resumed recording may get a number that is taken.',
		repair: 'Writes the number of tasks into meta/info.json.',
	},
	'splits-wrong': {
		severity: 'cosmetic',
		title: 'splits names episodes that are not there, or leaves some out',
		lerobot: 'Does not train by it; code that reads the dataset by splits gets other episodes.',
		repair: 'Writes the one split train over all episodes.',
	},
	'feature-shape-differs': {
		severity: 'training-fails',
		title: 'A feature is declared with another shape than its data has',
		lerobot: 'Raises when the data is cast to the declared shape, or makes a model of the wrong width.',
		repair: 'Writes the shape of the data into meta/info.json.',
	},
	'feature-column-missing': {
		severity: 'training-fails',
		title: 'A declared feature has no column in the data',
		lerobot: 'Raises when the data files are cast to the declared features.',
		repair: 'Takes the feature out of meta/info.json and of the statistics.',
	},
	'column-undeclared': {
		severity: 'training-fails',
		title: 'A column of the data is not declared',
		lerobot: 'Raises when the data files are cast to the declared features.',
		repair: 'Declares the column in meta/info.json as what it is.',
	},
	'feature-names-count': {
		severity: 'cosmetic',
		title: 'A feature has more or fewer names than dimensions',
		lerobot: 'Trains on the numbers; replay and rollout take the names for the joints and mix them up.',
		repair: null,
	},
	'camera-names-missing': {
		severity: 'training-fails',
		title: 'A camera has no names for its dimensions',
		lerobot: 'Raises TypeError when a policy is made: it asks the third name whether it is the channels.',
		repair: 'Writes height, width, channels where the shape is that.',
	},
	'camera-shape-differs': {
		severity: 'training-fails',
		title: 'A camera is declared with another size than its video has',
		lerobot: 'Fails where a policy wants cameras of one shape, else where pictures are stacked.',
		repair: 'Writes the size of the video into meta/info.json.',
	},
	'video-codec-differs': {
		severity: 'cosmetic',
		title: 'A camera is declared with another codec than its video has',
		lerobot: 'Decodes by the file itself.',
		repair: 'Writes the codec of the video into meta/info.json.',
	},

	'tasks-missing': {
		severity: 'training-fails',
		title: 'The file of tasks is missing',
		lerobot: 'Goes to the Hub for it, and fails for a dataset that is only here.',
		repair: 'Writes it from the task texts that the episodes carry.',
	},
	'task-order': {
		severity: 'training-worse',
		title: 'The rows of the tasks are not in the order of their numbers',
		lerobot: 'Takes tasks by row: frames are trained with the text of another task, without a word.',
		repair: 'Sorts the rows.',
	},
	'task-null': {
		severity: 'training-fails',
		title: 'A task has no text',
		lerobot: 'Hands no text to the tokenizer, which raises; policies without language do not mind.',
		repair: 'Gives it the text that you name.',
	},
	'task-texts-similar': {
		severity: 'training-worse',
		title: 'Two task texts differ by a typo or a blank',
		lerobot: 'Trains them as two tasks.',
		repair: 'Merges them into the one that more frames have.',
	},
	'task-text-twice': {
		severity: 'training-worse',
		title: 'Two tasks have the same text',
		lerobot: 'Trains them alike; editing and merging find only one of the two.',
		repair: 'Merges them.',
	},
	'task-unused': {
		severity: 'cosmetic',
		title: 'A task has no episode',
		lerobot: 'Keeps it; nothing is trained with it.',
		repair: 'Removes it and numbers the others anew.',
	},
	'task-index-unknown': {
		severity: 'training-fails',
		title: 'Frames have the number of a task that does not exist',
		lerobot: 'Raises IndexError as soon as such a frame is drawn.',
		repair: 'Takes the number of the task that the episode names, where that is one.',
	},
	'episode-tasks-differ': {
		severity: 'cosmetic',
		title: 'An episode names other tasks than its frames have',
		lerobot: 'Trains by the frames; listings and edits show the text of the episode.',
		repair: "Writes the tasks of the frames into the episode's row.",
	},

	'episodes-missing': {
		severity: 'training-fails',
		title: 'No file lists the episodes',
		lerobot: 'Goes to the Hub for it, and fails for a dataset that is only here.',
		repair: null,
	},
	'episode-gap': {
		severity: 'training-fails',
		title: 'The numbers of the episodes have a gap',
		lerobot: 'Goes to the Hub for the lost episode; where it loads, later episodes get the videos of others.',
		repair: 'Numbers the episodes anew, in metadata and data.',
	},
	'episode-order': {
		severity: 'training-worse',
		title: 'The rows of the episodes are not in the order of their numbers',
		lerobot: 'Takes episodes by row: they get the videos and bounds of others, without a word.',
		repair: 'Sorts the rows.',
	},
	'episode-listed-twice': {
		severity: 'training-worse',
		title: 'An episode is listed twice',
		lerobot: 'Takes episodes by row: later episodes get the videos and bounds of others.',
		repair: 'Removes the second row.',
	},
	'episode-duplicated': {
		severity: 'training-worse',
		title: 'Two episodes are the same recording',
		lerobot: 'Trains on it twice as often, and may test on what it trained on.',
		repair: null,
	},
	'episode-length-wrong': {
		severity: 'training-worse',
		title: 'An episode has another number of frames than is listed',
		lerobot: 'Places frames by the listed lengths when it edits; sampling runs past the end or stops early.',
		repair: 'Writes the number of frames into the metadata.',
	},
	'episode-bounds-wrong': {
		severity: 'training-worse',
		title: 'dataset_from_index and dataset_to_index are not where the episode lies',
		lerobot: 'Draws rows of other episodes and pads in the wrong places, without a word.',
		repair: 'Writes the bounds anew from the data files.',
	},
	'episode-file-wrong': {
		severity: 'training-worse',
		title: 'An episode is listed in another data file than it lies in',
		lerobot: 'Trains, as it reads all files; delete, split and merge fail or take other rows.',
		repair: 'Writes the file that has it into the metadata.',
	},
	'episode-unlisted': {
		severity: 'training-worse',
		title: 'The data has an episode that is not listed',
		lerobot: 'Never draws it; without its bounds it raises IndexError.',
		repair: null,
	},
	'episode-without-frames': {
		severity: 'training-fails',
		title: 'An episode is listed and has no frames',
		lerobot: 'Counts the dataset as incomplete and goes to the Hub for all of it.',
		repair: 'Removes the row and numbers the later episodes anew.',
	},
	'episode-scattered': {
		severity: 'training-worse',
		title: 'The frames of an episode do not lie together',
		lerobot: 'Takes an episode as one stretch of rows in one file: its windows hold frames of others.',
		repair: null,
	},

	'timestamps-drift': {
		severity: 'training-fails',
		title: 'Timestamps run faster or slower than fps',
		lerobot:
			'Raises FrameTimestampError where the next video frame is further off than tolerance_s, or shows the neighbour.',
		repair: 'Writes frame_index / fps as the timestamp.',
	},
	'timestamps-shifted': {
		severity: 'training-fails',
		title: 'The timestamps of an episode do not begin at 0',
		lerobot: 'Looks that much later into the video: raises FrameTimestampError, or shows other frames.',
		repair: 'Writes frame_index / fps as the timestamp.',
	},
	'timestamps-uneven': {
		severity: 'training-fails',
		title: 'Timestamps lie off the grid of fps by more than tolerance_s',
		lerobot: 'Raises FrameTimestampError as soon as such a frame is drawn.',
		repair: 'Writes frame_index / fps as the timestamp, where the video has all frames.',
	},
	'frame-index-wrong': {
		severity: 'training-worse',
		title: 'frame_index does not count from 0 in steps of 1',
		lerobot: 'Trains by index; progress files and edits that go by frame_index hit other frames.',
		repair: 'Counts frame_index anew in each episode.',
	},
	'index-wrong': {
		severity: 'training-worse',
		title: 'index does not count on over all frames',
		lerobot: 'Looks frames of action chunks up by row position: they come from elsewhere.',
		repair: 'Counts index anew over all files.',
	},
	'values-not-finite': {
		severity: 'training-fails',
		title: 'A feature has values that are missing, NaN or infinite',
		lerobot: 'Trains on them: the loss becomes NaN and the model is lost.',
		repair: null,
	},

	'stats-missing': {
		severity: 'training-fails',
		title: 'There are no statistics',
		lerobot:
			'With a camera it raises TypeError or AttributeError at the start, without one nothing is normalised.',
		repair: 'Computes them from the data.',
	},
	'stats-unreadable': {
		severity: 'training-fails',
		title: 'The file of statistics is not JSON',
		lerobot: 'Does not load the dataset.',
		repair: 'Computes them from the data.',
	},
	'stats-camera-missing': {
		severity: 'training-fails',
		title: 'The statistics lack a camera',
		lerobot: 'Raises KeyError in make_dataset, up to v0.6.1; newer ones fill it.',
		repair: "Writes ImageNet's mean and standard deviation, which training uses anyway.",
	},
	'stats-feature-missing': {
		severity: 'training-worse',
		title: 'The statistics lack a feature',
		lerobot: 'Does not normalise it, without a word.',
		repair: 'Computes them from the data.',
	},
	'stats-incomplete': {
		severity: 'training-fails',
		title: 'A feature lacks min, max, mean, std or count',
		lerobot: 'Raises ValueError at the first batch, or KeyError when it folds statistics.',
		repair: 'Computes them from the data.',
	},
	'stats-quantiles-missing': {
		severity: 'training-worse',
		title: 'The statistics have no quantiles',
		lerobot: 'Trains most types; pi05 and others that normalise by quantiles raise ValueError.',
		repair: 'Computes them from the data.',
	},
	'stats-width-wrong': {
		severity: 'training-fails',
		title: 'Statistics of another width than the feature',
		lerobot: 'Raises at the first batch, as the shapes do not fit.',
		repair: 'Computes them from the data.',
	},
	'stats-mean-wrong': {
		severity: 'training-worse',
		title: 'Mean or standard deviation are not those of the data',
		lerobot: 'Normalises by them: inputs and targets are shifted or scaled, without a word.',
		repair: 'Computes them from the data.',
	},
	'stats-range-wrong': {
		severity: 'training-worse',
		title: 'Minimum or maximum are not those of the data',
		lerobot: 'Policies that normalise by the range see values beyond it, or use a part of it.',
		repair: 'Computes them from the data.',
	},
	'stats-quantiles-wrong': {
		severity: 'training-worse',
		title: 'Quantiles are not those of the data, nor what LeRobot makes of the episodes',
		lerobot: 'Policies that normalise by quantiles train on badly scaled targets.',
		repair: 'Computes them from the data.',
	},
	'stats-quantiles-inexact': {
		severity: 'lerobot-rule',
		title: 'Quantiles are folded from those of the episodes, as LeRobot does',
		lerobot: 'Writes them so: a weighted mean, or the outermost, of the quantiles of the episodes.',
		repair: 'Computes them from the data.',
	},
	'stats-count-wrong': {
		severity: 'cosmetic',
		title: 'The count of the statistics is not the number of frames',
		lerobot: 'Weighs the dataset by it in a merge.',
		repair: 'Computes them from the data.',
	},
	'stats-count-sampled': {
		severity: 'lerobot-rule',
		title: 'The statistics of a camera count samples, not frames',
		lerobot: 'Writes them so: it looks at some pictures of each episode.',
		repair: null,
	},
	'stats-camera-implausible': {
		severity: 'training-worse',
		title: 'The statistics of a camera are not those of pictures between 0 and 1',
		lerobot: 'Trains with those of ImageNet; without use_imagenet_stats pictures are badly scaled.',
		repair: "Writes ImageNet's mean and standard deviation, which training uses anyway.",
	},
	'stats-index-stale': {
		severity: 'cosmetic',
		title: 'The statistics of index, episode_index or another counter are stale',
		lerobot: 'Leaves them so after a merge; training does not use them.',
		repair: 'Computes them from the data.',
	},
	'episode-stats-missing': {
		severity: 'cosmetic',
		title: 'Episodes have no statistics of their own, or lack a feature',
		lerobot: 'Trains; its delete and merge rebuild stats.json from them and lose the feature.',
		repair: null,
	},
	'episode-stats-wrong': {
		severity: 'training-worse',
		title: "An episode's own statistics are not those of its frames",
		lerobot: 'Trains by stats.json; its delete and merge fold the wrong ones into that.',
		repair: 'Computes them from the data.',
	},

	...videoDamageKinds,

	'data-file-stray': {
		severity: 'training-worse',
		title: 'A parquet file below data/ belongs to no episode',
		lerobot: 'Reads every parquet file there: its rows become part of the dataset, and others move.',
		repair: 'Puts the file aside.',
	},
	'video-unused': {
		severity: 'cosmetic',
		title: 'A video file that no episode uses',
		lerobot: 'Never reads it; uploads carry it along.',
		repair: 'Puts the file aside.',
	},
	'leftover-images': {
		severity: 'cosmetic',
		title: 'Pictures of a recording that were never encoded',
		lerobot: 'Never reads them; the episode that they belong to was not saved.',
		repair: null,
	},
	'leftover-temporary': {
		severity: 'cosmetic',
		title: 'Files of an unfinished recording, conversion or annotation',
		lerobot: 'Never reads them; a parquet.tmp tells that a rewrite did not finish.',
		repair: 'Puts them aside.',
	},
	'leftover-old-copy': {
		severity: 'cosmetic',
		title: 'An earlier copy lies beside the dataset',
		lerobot: 'Made it at an edit in place; the next edit deletes it.',
		repair: null,
	},
	'progress-wrong': {
		severity: 'training-worse',
		title: 'A progress file is not of these frames',
		lerobot: 'Weighs frames by it through index: after a delete, merge or reorder the weights are of others.',
		repair: 'Puts the file aside.',
	},
} as const satisfies Readonly<Record<string, DamageKind>>;

export type DamageId = keyof typeof damageKinds;
export const damageIds = Object.keys(damageKinds) as DamageId[];

/** True if a word is the id of a kind of damage. */
export const isDamageId = (word: string): word is DamageId => Object.hasOwn(damageKinds, word);

/** A damage that was found. */
export type Damage = {
	readonly id: DamageId;
	readonly severity: Severity;
	/** Relative to the dataset's root. */
	readonly file: string;
	/** The episodes that it concerns, ascending; none where it is about the whole dataset. */
	readonly episodes: readonly number[];
	/** Seconds after the beginning of the first of the episodes, or of the video file where it is about that. */
	readonly seconds?: number;
	/** The feature, camera included, or the task that it is about. */
	readonly subject?: string;
	/** The finding, with its numbers: a sentence. */
	readonly message: string;
};

/** Collects damages as they are found. */
export type ReportDamage = (found: Omit<Damage, 'severity' | 'episodes'> & Partial<Damage>) => void;
