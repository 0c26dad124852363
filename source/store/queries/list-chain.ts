/** The key of a row that the service has and that is not read yet. */
export const unread = '';

/** A page of a listing as it came. */
export type ListPage<Item> = {
	readonly items: readonly Item[];
	/** Where the next page begins; undefined behind the last. */
	readonly next: string | undefined;
	/** How many there are in all, where the service says so. */
	readonly total: number | undefined;
	/** How many broke the interface and were left out. */
	readonly leftOut: number;
};

/** The part of every row that is kept, however far away it is: its key and its name. */
export type RowName = {readonly key: string; readonly label: string};

/** A page of the chain: the rows that it gave, and how to read it again. */
type Link<Item> = {
	readonly cursor: string | undefined;
	readonly limit: number;
	readonly from: number;
	readonly count: number;
	readonly isLast: boolean;
	/** Undefined once they were let go for others. */
	items: ReadonlyMap<string, Item> | undefined;
};

/**
 * A listing read page after page by its cursors. The names of all rows stay; of what they hold, only so much as was
 * looked at last.
 */
export class ListChain<Item> {
	readonly names: RowName[] = [];
	total: number | undefined;
	leftOut = 0;
	/** Nothing comes behind the last row. */
	isEnded = false;
	readonly #nameOf: (item: Item) => RowName;
	readonly #mostHeld: number;
	readonly #links: Link<Item>[] = [];
	readonly #rows = new Map<string, number>();
	readonly #cursors = new Set<string>();
	/** Least recently looked at first. */
	readonly #held = new Set<Link<Item>>();
	#next: string | undefined;

	/** @param options.mostHeld rows whose contents are kept, those of one page besides. */
	constructor(options: {nameOf: (item: Item) => RowName; mostHeld: number}) {
		this.#nameOf = options.nameOf;
		this.#mostHeld = options.mostHeld;
	}

	/** Where the next page begins; undefined for the first one. */
	get next(): string | undefined {
		return this.#next;
	}

	/** Rows whose contents are held. */
	get heldCount(): number {
		let count = 0;
		for (const {items} of this.#held) count += items?.size ?? 0;
		return count;
	}

	/** Takes the page that begins at `next`. */
	append(page: ListPage<Item>, limit: number): void {
		const from = this.names.length;
		const items = new Map<string, Item>();
		for (const item of page.items) {
			const name = this.#nameOf(item);
			// A row that moved between two pages comes twice; it stands where it came first.
			if (this.#rows.has(name.key)) continue;
			this.#rows.set(name.key, this.names.length);
			this.names.push(name);
			items.set(name.key, item);
		}
		const link: Link<Item> = {
			cursor: this.#next,
			limit,
			from,
			count: this.names.length - from,
			isLast: page.next === undefined,
			items,
		};
		this.#links.push(link);
		this.total = page.total;
		this.leftOut += page.leftOut;
		// A cursor that came before leads round and round.
		this.isEnded = page.next === undefined || this.#cursors.has(page.next);
		if (page.next !== undefined) this.#cursors.add(page.next);
		this.#next = page.next;
		this.#hold(link);
	}

	/** The row that a key stands at. */
	rowOf(key: string): number | undefined {
		return this.#rows.get(key);
	}

	/** The content of a row; undefined while it is not held. */
	itemAt(row: number): Item | undefined {
		const name = this.names[row];
		return name === undefined ? undefined : this.#linkAt(row)?.items?.get(name.key);
	}

	/** Says that rows are looked at. @returns a page among theirs that has to be read again */
	look(rows: readonly number[]): {readonly cursor: string | undefined; readonly limit: number} | undefined {
		const links = new Set(rows.map(row => this.#linkAt(row)).filter(link => link !== undefined));
		for (const link of links) if (link.items !== undefined) this.#hold(link);
		return [...links].find(({items}) => items === undefined);
	}

	/** Takes a page that was read again. */
	refill(cursor: string | undefined, page: ListPage<Item>): void {
		const link = this.#links.find(each => each.cursor === cursor);
		if (link === undefined) return;
		link.items = new Map(page.items.map(item => [this.#nameOf(item).key, item]));
		this.#hold(link);
	}

	/** As many rows as the first page was asked for; undefined before it was. */
	get firstLimit(): number | undefined {
		return this.#links[0]?.limit;
	}

	/** True if a first page read just now is the first page of this chain. */
	beginsWith(page: ListPage<Item>): boolean {
		const [first] = this.#links;
		if (first === undefined || page.total !== this.total) return false;
		const keys = [...new Set(page.items.map(item => this.#nameOf(item).key))];
		const isSameEnd = (page.next === undefined) === first.isLast;
		return isSameEnd && keys.length === first.count && keys.every((key, row) => this.names[row]?.key === key);
	}

	#linkAt(row: number): Link<Item> | undefined {
		return this.#links.find(({from, count}) => row >= from && row < from + count);
	}

	#hold(link: Link<Item>): void {
		this.#held.delete(link);
		this.#held.add(link);
		for (const oldest of this.#held) {
			if (oldest === link || this.heldCount <= this.#mostHeld) break;
			oldest.items = undefined;
			this.#held.delete(oldest);
		}
	}
}
