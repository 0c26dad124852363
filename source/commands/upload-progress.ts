import {byteSize, span} from '../terminal/quantity.ts';
import type {UploadTally} from '../upload/upload-tally.ts';
import type {ProgressDisplay} from './progress.ts';

/** How often a moving bar is drawn anew. */
const drawMs = 100;

/** The rate is that of the last so many milliseconds. */
const windowMs = 5000;

/** Tells bytes a second from how many there were at some moments. */
class RateGauge {
	#samples: {at: number; bytes: number}[] = [];

	note(at: number, bytes: number): void {
		this.#samples.push({at, bytes});
		while ((this.#samples[0]?.at ?? at) < at - windowMs) this.#samples.shift();
	}

	get bytesPerSecond(): number | undefined {
		const [first] = this.#samples;
		const last = this.#samples.at(-1);
		if (!first || !last || last.at - first.at < 500) return undefined;
		return Math.max(0, ((last.bytes - first.bytes) / (last.at - first.at)) * 1000);
	}
}

/**
 * Shows how far an upload is: bytes, rate and time left on a terminal, the step elsewhere.
 *
 * @param options.sends false for a check, which only hashes. @default true
 */
export function uploadProgress(
	display: ProgressDisplay,
	subject: string,
	{sends = true}: {sends?: boolean} = {},
): (tally: UploadTally) => void {
	const gauge = new RateGauge();
	let drawn = Number.NEGATIVE_INFINITY;
	let last = '';
	return ({total, hashed, there, sent}) => {
		const at = performance.now();
		const step = sends && (sent > 0 || hashed === total) ? 'sending' : 'hashing';
		if (at - drawn < drawMs && step === last) return;
		drawn = at;
		last = step;
		gauge.note(at, sent);
		const done = step === 'sending' ? there + sent : hashed;
		const rate = gauge.bytesPerSecond;
		const pace = rate ? `  ${byteSize(rate)}/s  ${span((total - there - sent) / rate)} left` : '';
		display.show({
			subject,
			step,
			done,
			total,
			figures: `${byteSize(done)} of ${byteSize(total)}${step === 'sending' ? pace : ''}`,
		});
	};
}
