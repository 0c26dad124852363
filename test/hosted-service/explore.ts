import type {ExploreRequest} from './explore-request.ts';
import {FacetCounter} from './facets.ts';
import {compileFilter} from './filter.ts';
import type {Lake} from './lake.ts';

const keptFilters = 16;

/** Everything about a filter that does not depend on the page. */
type Selection = {
	rows: readonly number[];
	totalFrames: number | bigint;
	totalDuration: number;
	facets: Record<string, unknown>;
};

/** Answers explore over one lake; the latest filters are kept, since pages of one filter follow each other. */
export class Explorer {
	readonly lake: Lake;
	readonly #selections = new Map<string, Selection>();

	constructor(lake: Lake) {
		this.lake = lake;
	}

	/**
	 * The response body of section 4.1. The order is the lake's own, or that turned round. Evidence is given
	 * for the first episode of the page alone, since its rows carry no episode.
	 */
	explore(request: ExploreRequest): Record<string, unknown> {
		const {limit, offset, order_desc} = request;
		const {rows, totalFrames, totalDuration, facets} = this.#select(request);
		const total = rows.length;
		const page = order_desc
			? rows.slice(Math.max(0, total - offset - limit), Math.max(0, total - offset)).reverse()
			: rows.slice(offset, offset + limit);
		return {
			episodes: page.map(row => this.lake.episode(row)),
			channel_predicate_evidence: this.#evidence(request, page[0]),
			total,
			total_frames: totalFrames,
			total_duration_seconds: totalDuration,
			facets,
			page_limit: limit,
			page_offset: offset,
		};
	}

	#select(request: ExploreRequest): Selection {
		const key = JSON.stringify({...request, limit: 0, offset: 0, order_desc: false});
		const known = this.#selections.get(key);
		this.#selections.delete(key);
		const selection = known ?? this.#selectAnew(request);
		this.#selections.set(key, selection);
		for (const oldest of this.#selections.keys()) {
			if (this.#selections.size <= keptFilters) break;
			this.#selections.delete(oldest);
		}
		return selection;
	}

	#selectAnew(request: ExploreRequest): Selection {
		const {frame_count, duration_s} = this.lake.numbers;
		const rows: number[] = [];
		const facets = new FacetCounter(this.lake);
		let frames = 0;
		let bigFrames = 0n;
		let duration = 0;
		compileFilter(this.lake, request).each((row, failed) => {
			facets.count(row, failed);
			if (failed) return;
			rows.push(row);
			duration += duration_s[row] ?? 0;
			const exact = this.lake.exactFrames.get(row);
			if (exact === undefined) frames += frame_count[row] ?? 0;
			else bigFrames += exact;
		});
		return {
			rows,
			totalFrames: bigFrames === 0n ? frames : bigFrames + BigInt(frames),
			totalDuration: duration,
			facets: facets.result(),
		};
	}

	#evidence(request: ExploreRequest, row: number | undefined): Array<Record<string, unknown>> {
		if (row === undefined) return [];
		return request.channel_predicates.flatMap(({stream, channel, agg, op, value}, predicate_index) => {
			const found = this.lake.channel(row, stream, channel);
			if (!found) return [];
			const {native_channel, native_index} = found;
			const observed_value = found[agg];
			return [
				{
					predicate_index,
					stream,
					channel,
					agg,
					op,
					threshold: value,
					observed_value,
					native_channel,
					native_index,
				},
			];
		});
	}
}
