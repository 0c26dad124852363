import type {Count} from '../../contract/scalars.ts';

/** The largest count the interface has room for. */
const largest = 2n ** 64n - 1n;

/** A 64-bit count of DuckDB as the contract has it: a number while that is exact, a bigint beyond. */
export function count(value: bigint | null): Count {
	const bounded = value === null ? 0n : value > largest ? largest : value;
	return bounded <= Number.MAX_SAFE_INTEGER && bounded >= Number.MIN_SAFE_INTEGER ? Number(bounded) : bounded;
}
