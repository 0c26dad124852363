import type {ChannelPredicate, NumericPredicate} from '../contract/explore.ts';
import type {Lineage, ReviewState, Tier} from '../contract/vocabulary.ts';

/** Values that no episode may have: each list as in {@link Filter}, absent where it is empty. */
export type LeftOutValues = {
	readonly tasks?: readonly string[];
	readonly tiers?: readonly (Tier | '')[];
	readonly interfaces?: readonly string[];
	readonly markers?: readonly string[];
	readonly datasets?: readonly string[];
	readonly tags?: readonly string[];
	readonly reviews?: readonly ReviewState[];
};

/** What a filter line says: which episodes are wanted, in which order. */
export type Filter = {
	readonly tasks: readonly string[];
	/** The empty string stands for episodes without a tier (`tier:none`). */
	readonly tiers: readonly (Tier | '')[];
	readonly interfaces: readonly string[];
	readonly markers: readonly string[];
	/** Names or ids; see {@link toExploreRequest}. */
	readonly datasets: readonly string[];
	readonly tags: readonly string[];
	readonly review?: ReviewState | undefined;
	readonly index?: number | undefined;
	readonly parent?: number | undefined;
	readonly lineage?: Lineage | undefined;
	readonly descending: boolean;
	readonly numeric: readonly NumericPredicate[];
	readonly channels: readonly ChannelPredicate[];
	/** Searched for as text; the empty string asks for none. */
	readonly search: string;
	/** `-key:value`; absent where nothing is left out. */
	readonly not?: LeftOutValues | undefined;
};

/** The filter that lets everything through. */
export const noFilter: Filter = {
	tasks: [],
	tiers: [],
	interfaces: [],
	markers: [],
	datasets: [],
	tags: [],
	descending: false,
	numeric: [],
	channels: [],
	search: '',
};
