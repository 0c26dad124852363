/** The blobs that are claimed now, and those that are being removed: no blob is ever both. */
export class BlobClaims {
	readonly #held = new Map<string, number>();
	readonly #removing = new Map<string, Promise<unknown>>();
	/** Blobs claimed since the search for unused ones began. */
	#sinceBegun: Set<string> | undefined;

	/**
	 * Claims blobs, stored or not. Settles once none of them is being removed:
	 * those that are there then stay.
	 *
	 * @returns releases the claim
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

	/** While this works, claimed blobs stay claimed, even after their release. */
	async remembering(work: () => Promise<void>): Promise<void> {
		this.#sinceBegun = new Set(this.#held.keys());
		try {
			await work();
		} finally {
			this.#sinceBegun = undefined;
		}
	}

	/** Removes a blob unless it is claimed. */
	async unlessClaimed(blobId: string, remove: () => Promise<unknown>): Promise<void> {
		if (this.#held.has(blobId) || this.#sinceBegun?.has(blobId)) return;
		const removed = remove();
		// Callers that wait for it check themselves which blobs are there afterwards.
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
