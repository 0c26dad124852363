import type {ListChain, RowName} from './list-chain.ts';

/** Things shown above the rows because they were opened by their ids. */
const mostPinned = 3;

/** What was opened by its id and is not among the rows so far: it stands above them until it is. */
export class PinnedRows<Item> {
	readonly #nameOf: (item: Item) => RowName;
	#items: readonly Item[] = [];

	constructor(nameOf: (item: Item) => RowName) {
		this.#nameOf = nameOf;
	}

	pin(item: Item): void {
		const {key} = this.#nameOf(item);
		const others = this.#items.filter(each => this.#nameOf(each).key !== key);
		this.#items = [...others, item].slice(-mostPinned);
	}

	clear(): void {
		this.#items = [];
	}

	/** Those that the chain has not among its rows. */
	above(chain: ListChain<Item>): readonly Item[] {
		return this.#items.filter(item => chain.rowOf(this.#nameOf(item).key) === undefined);
	}
}
