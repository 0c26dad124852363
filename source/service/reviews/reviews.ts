import type {ReviewRequest, ReviewResponse} from '../../contract/local-reviews.ts';
import type {ServiceEventData} from '../../contract/service-events.ts';
import type {Announce} from '../host/announce.ts';
import type {LakeEngine, Mark} from '../lake/engine.ts';
import type {ReviewStore} from './review-store.ts';

type Parts = {
	readonly lake: Pick<LakeEngine, 'recordings' | 'review'>;
	readonly store: ReviewStore;
	readonly announce: Announce;
};

/** Takes what people decide about episodes. */
export class ReviewController {
	readonly #parts: Parts;

	constructor(parts: Parts) {
		this.#parts = parts;
	}

	/** Shows in the lake whatever was decided, should an earlier service have ended before it could. */
	async resume(): Promise<void> {
		await this.#parts.lake.review(this.#parts.store.marks());
	}

	/** Keeps a decision, then shows it: once this settles it is durable, and explore says so. */
	async set({episode_ids, review_state}: ReviewRequest): Promise<ReviewResponse> {
		const {lake, announce} = this.#parts;
		const wanted = new Set(episode_ids.map(id => id.toLowerCase()));
		const found = await lake.recordings([...wanted]);
		const marks = found.map(
			({dataset_name, revision, episode_index}): Mark => ({
				datasetName: dataset_name,
				revision,
				episodeIndex: episode_index,
				state: review_state,
			}),
		);
		const before = new Map(found.map(({episode_id, review_state}) => [episode_id, review_state]));
		if (marks.length > 0) {
			await this.#keep(marks);
		}
		const after = await lake.recordings([...wanted]);
		for (const [dataset_id, reviewed] of Map.groupBy(after, row => row.dataset_id)) {
			const data: ServiceEventData<'episode.review'> = {
				dataset_id,
				dataset_name: reviewed[0]?.dataset_name ?? '',
				review_state,
				episode_count: reviewed.length,
			};
			announce({name: 'episode.review', data});
		}
		for (const {episode_id} of after) wanted.delete(episode_id);
		return {
			reviews: after.map(({revision: _, ...row}) => ({
				...row,
				before: before.get(row.episode_id) ?? row.review_state,
			})),
			unknown: [...wanted],
		};
	}

	/** A decision that cannot be shown is not kept either: a refusal means that nothing was changed. */
	async #keep(marks: readonly Mark[]): Promise<void> {
		const {lake, store} = this.#parts;
		const names = new Set(marks.map(({datasetName}) => datasetName));
		const known = new Map(
			[...names].flatMap(name => store.marks(name)).map(mark => [locationOf(mark), mark]),
		);
		store.set(marks);
		try {
			await lake.review(marks);
		} catch (error) {
			store.set(marks.map(mark => known.get(locationOf(mark)) ?? {...mark, state: 'unreviewed'}));
			throw error;
		}
	}
}

function locationOf({datasetName, revision}: Mark): string {
	return `${datasetName}/${revision}`;
}
