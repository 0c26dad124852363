/** How far an upload is, in bytes of the dataset's files. */
export class UploadTally {
	total = 0;
	hashed = 0;
	/** What the service had before, or needs only once. */
	there = 0;
	/** What was sent, up to the blobs that are under way. */
	sent = 0;
	readonly #onChange: (tally: UploadTally) => void;

	constructor(onChange: (tally: UploadTally) => void = () => undefined) {
		this.#onChange = onChange;
	}

	/** Begins anew with a dataset of so many bytes; what was sent stays counted. */
	begin(total: number): void {
		this.total = total;
		this.hashed = 0;
		this.there = 0;
		this.sent = 0;
		this.#onChange(this);
	}

	add(what: 'hashed' | 'there' | 'sent', bytes: number): void {
		this[what] += bytes;
		this.#onChange(this);
	}
}
