/** Which blobs somebody counts on just now, and which are being removed: no blob is ever both. */
export class BlobClaims {
	readonly #held = new Map<string, number>();
	readonly #removing = new Map<string, Promise<unknown>>();
	/** What was claimed since it began to be looked for blobs that nobody needs. */
	#sinceBegun: Set<string> | undefined;

	/**
	 * Counts on blobs from now on, whether they are there or not. Settles once none of them is being removed any more:
	 * those that are there then stay.
	 *
	 * @returns what gives the claim up
	 */
	async claim(blobIds: Iterable<string>): Promise<() => void> {
		const ids = [...new Set(blobIds)];
		for (const id of ids) {
			this.#held.set(id, (this.#held.get(id) ?? 0) + 1);
			this.#sinceBegun?.add(id);
		}
		await Promise.all(ids.map(id => this.#removing.get(id)));
		return () => {
			for (const id of ids) {
				const left = (this.#held.get(id) ?? 1) - 1;
				if (left === 0) this.#held.delete(id);
				else this.#held.set(id, left);
			}
		};
	}

	/** While this works, whoever has claimed a blob keeps it, also after the claim was given up. */
	async remembering(work: () => Promise<void>): Promise<void> {
		this.#sinceBegun = new Set(this.#held.keys());
		try {
			await work();
		} finally {
			this.#sinceBegun = undefined;
		}
	}

	/** Removes a blob, unless somebody counts on it. */
	async unlessClaimed(blobId: string, remove: () => Promise<unknown>): Promise<void> {
		if (this.#held.has(blobId) || this.#sinceBegun?.has(blobId)) return;
		const removed = remove();
		// Whoever waits for it looks by himself what is there afterwards.
		this.#removing.set(
			blobId,
			removed.catch(() => undefined),
		);
		try {
			await removed;
		} finally {
			this.#removing.delete(blobId);
		}
	}
}
