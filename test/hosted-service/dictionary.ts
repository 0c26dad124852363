/** Strings numbered in order of appearance; null and undefined have the number -1. */
export class Dictionary {
	readonly #codes = new Map<string, number>();
	readonly #values: string[] = [];

	get size(): number {
		return this.#values.length;
	}

	get values(): readonly string[] {
		return this.#values;
	}

	/** The number of a string, given now if it has none yet. */
	code(value: string | null | undefined): number {
		if (value === null || value === undefined) return -1;
		const known = this.#codes.get(value);
		if (known !== undefined) return known;
		this.#codes.set(value, this.#values.length);
		return this.#values.push(value) - 1;
	}

	find(value: string): number | undefined {
		return this.#codes.get(value);
	}

	value(code: number | undefined): string | null {
		return (code === undefined ? undefined : this.#values[code]) ?? null;
	}
}
