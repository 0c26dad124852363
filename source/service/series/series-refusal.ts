import type {seriesRefusals} from './series-messages.ts';

/** Why an episode's series cannot be had, in a sentence. */
export class SeriesRefusal extends Error {
	override readonly name = 'SeriesRefusal';
	readonly reason: (typeof seriesRefusals)[number];

	constructor(reason: SeriesRefusal['reason'], message: string) {
		super(message);
		this.reason = reason;
	}
}
