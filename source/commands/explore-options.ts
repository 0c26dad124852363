import type {EpisodeSort} from '../contract/local-explore.ts';
import type {Filter} from '../query/filter.ts';
import type {Link} from '../store/queries/link.ts';
import type {Uploader} from '../store/uploads/uploader.ts';
import type {FrameWriter} from '../terminal/frame-writer.ts';
import type {PictureChoice} from '../terminal/pictures/picture-protocol.ts';
import type {Attention} from './attention.ts';
import type {ChosenService} from './chosen-service.ts';
import type {Settings} from './settings.ts';

/** Options of the explorer. */
export type ExploreOptions = {
	/** On its way since before Ink began to load. It may be starting still, and is then asked before it answers. */
	readonly service: Promise<ChosenService>;
	/** Settles when that service answers, or rejects with why there is none. */
	readonly answers: Promise<unknown>;
	/** Chooses and joins again: after the service was lost, or when a lake that was empty may hold something now. */
	readonly chooseAgain: () => Promise<ChosenService>;
	/** The first filter; without one, the location of the last run. */
	readonly filter: Filter | undefined;
	/** The order to begin with, with a filter. @default the service's own */
	readonly sort?: EpisodeSort | undefined;
	/** Said at the start. */
	readonly greeting?: string | undefined;
	/** The thing to open first. */
	readonly link?: Link;
	readonly readOnly: boolean;
	/** The profile that was chosen, for the header. */
	readonly profile: string | undefined;
	/** Sends datasets of this machine. */
	readonly uploader: Uploader;
	readonly attention: Attention;
	readonly writer: FrameWriter;
	/** How pictures are to be shown. */
	readonly pictures: PictureChoice;
	/** The user's own keys, by action. */
	readonly keys: Settings['keys'];
	/** The mouse is taken from the terminal. */
	readonly mouse: boolean;
	/** Sentences to show: problems of the configuration and of folders to ingest. */
	readonly problems: readonly string[];
};
