import {BIGINT, DOUBLE, type DuckDBType, type DuckDBValue, LIST, listValue, VARCHAR} from '@duckdb/node-api';

/** The bound values of one statement. Each method takes a value and gives the placeholder that stands for it. */
export class Parameters {
	readonly values: DuckDBValue[] = [];
	readonly types: DuckDBType[] = [];

	#bind(value: DuckDBValue, type: DuckDBType): string {
		this.values.push(value);
		this.types.push(type);
		return `$${this.values.length}`;
	}

	text(value: string | null): string {
		return this.#bind(value, VARCHAR);
	}

	real(value: number | null): string {
		return this.#bind(value, DOUBLE);
	}

	integer(value: number | bigint | null): string {
		return this.#bind(value === null ? null : BigInt(value), BIGINT);
	}

	/** A list of strings; as a set of rows it is `(SELECT unnest($n))`. */
	texts(values: readonly string[]): string {
		return this.#bind(listValue([...values]), LIST(VARCHAR));
	}

	integers(values: ReadonlyArray<number | bigint>): string {
		return this.#bind(listValue(values.map(value => BigInt(value))), LIST(BIGINT));
	}
}
