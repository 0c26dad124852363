import {createStore, type StoreApi} from 'zustand/vanilla';
import {type Freshness, freshnessOf, isLasting} from './freshness.ts';
import {ListChain, type ListPage, type RowName, unread} from './list-chain.ts';
import {afterOthersMs, pauseAfter} from './polling.ts';

/** Reads a page of a listing. @param cursor undefined for the first one */
export type ReadListPage<Item> = (
	cursor: string | undefined,
	limit: number,
	signal: AbortSignal,
) => Promise<ListPage<Item>>;

export type CursorListKnown<Item> = {
	/** The key of each row, in order; `unread` for rows that the service has and that are not read yet. */
	readonly keys: readonly string[];
	/** Of the rows that are read: how they are called. */
	readonly names: readonly RowName[];
	/** The content of a row; undefined while it is being read. */
	readonly item: (row: number) => Item | undefined;
	readonly freshness: Freshness;
	/** Another question is shown still: the answer to the new one is on its way. */
	readonly isPrevious: boolean;
	/** The service has more than is known how much. */
	readonly hasMore: boolean;
	readonly leftOut: number;
	/** Rows far down are out of date; they are listed anew when asked to. */
	readonly isOutdated: boolean;
};

type CursorListOptions<Item> = {
	readonly nameOf: (item: Item) => RowName;
	/** Rows asked for at once, and where the reader is far ahead of what is read. */
	readonly limits: {readonly page: number; readonly leap: number};
	/** Between two looks at the first page, as things are. */
	readonly paceMs: () => number;
};

/** Rows whose contents are held. */
const mostHeld = 4000;

/** Rows read ahead of the reader. */
const ahead = 100;

/** A list that changed is listed anew down to here by itself; further down only when asked to. */
const relistedRows = 1000;

/** The most unread rows that a list shows. */
const mostUnread = 1_000_000;

/** After a failure. */
const leastPauseMs = 2000;

/** A list that is being read anew, and the row that it has to reach before it is shown. */
type Renewal<Item> = {readonly chain: ListChain<Item>; readonly shownFrom: number; readonly isAsked: boolean};

/**
 * A listing of any length, read by its cursors as far as the reader scrolls. Its first page is polled;
 * if it changes, the list is read anew, and the old one stays until the new one reaches as far down.
 */
export class CursorList<Item> {
	readonly known: StoreApi<CursorListKnown<Item>>;
	readonly #options: CursorListOptions<Item>;
	#read: ReadListPage<Item>;
	#chain: ListChain<Item>;
	#renewal: Renewal<Item> | undefined;
	#isOutdated = false;
	readonly #pinned: PinnedRows<Item>;
	#looked: readonly number[] = [];
	#readTo = 0;
	#isShown = false;
	/** The first page is to be looked at again. */
	#isFirstDue = false;
	#reading: AbortController | undefined;
	#readAt: number | undefined;
	/** The rows on the screen were read by an earlier run. */
	#isRecalled = false;
	#error: Error | null = null;
	#failures = 0;
	#nextAt: number | undefined;
	#timer: NodeJS.Timeout | undefined;

	constructor(read: ReadListPage<Item>, options: CursorListOptions<Item>) {
		this.#options = options;
		this.#pinned = new PinnedRows(options.nameOf);
		this.#read = read;
		this.#chain = this.#newChain();
		this.known = createStore(() => this.#snapshot());
	}

	/** Reads while its view shows. */
	show(isShown: boolean): void {
		if (isShown === this.#isShown) return;
		this.#isShown = isShown;
		if (isShown) this.refetchFirst();
		else this.#halt();
	}

	/** Asks for another list; the one before stays to be seen until its first page is there. */
	ask(read: ReadListPage<Item>): void {
		this.#halt();
		this.#read = read;
		this.#renewal = {chain: this.#newChain(), shownFrom: 0, isAsked: true};
		this.#isOutdated = false;
		this.#pinned.clear();
		this.#run();
		this.#publish();
	}

	/** Shows a first page that an earlier run read at a moment, until there is a newer one. */
	recall(page: ListPage<Item>, {limit, readAt}: {limit: number; readAt: number}): void {
		if (this.#readAt !== undefined || this.#chain.names.length > 0 || this.#renewal !== undefined) return;
		this.#chain.append(page, limit);
		this.#readAt = readAt;
		this.#isRecalled = true;
		this.#isFirstDue = true;
		this.#publish();
	}

	/** Says which rows are on the screen, and down to which row names are wanted besides. */
	look(rows: readonly number[], readTo = 0): void {
		const above = this.#pinned.above(this.#chain).length;
		this.#looked = rows.map(row => row - above).filter(row => row >= 0);
		this.#readTo = readTo;
		this.#run();
	}

	/** Looks now whether it begins as before. */
	refetchFirst(): void {
		this.#isFirstDue = true;
		this.#run();
	}

	/** Tries again at once, where it failed and waits. */
	wake(): void {
		if (this.#error === null || this.#reading !== undefined) return;
		clearTimeout(this.#timer);
		this.#nextAt = undefined;
		this.#run();
	}

	/** The pace is another one from now on. */
	paceChanged(): void {
		if (this.#timer === undefined || this.#nextAt !== undefined) return;
		clearTimeout(this.#timer);
		this.#waitForNext();
	}

	/** Lists it anew. */
	refetch(): void {
		this.#halt();
		this.#isOutdated = false;
		this.#renew();
		this.#run();
		this.#publish();
	}

	/** Shows something above the rows, unless it is one of them. */
	pin(item: Item): void {
		this.#pinned.pin(item);
		this.#publish();
	}

	stop(): void {
		this.show(false);
	}

	#newChain(): ListChain<Item> {
		return new ListChain<Item>({nameOf: this.#options.nameOf, mostHeld});
	}

	/** Begins to list anew down to where the reader is; who asked for another list goes on waiting for that. */
	#renew(): void {
		this.#renewal ??= {chain: this.#newChain(), shownFrom: this.#looked.at(-1) ?? 0, isAsked: false};
	}

	#halt(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		this.#nextAt = undefined;
		this.#reading?.abort();
		this.#reading = undefined;
	}

	/** Reads what is wanted and not there, one page after the other, and then looks at the first page now and then. */
	#run(): void {
		if (!this.#isShown || this.#reading !== undefined || this.#nextAt !== undefined) return;
		clearTimeout(this.#timer);
		this.#timer = undefined;
		const reading = new AbortController();
		this.#reading = reading;
		void this.#readAll(reading).then(
			() => this.#ended(reading, () => this.#rest()),
			(error: unknown) => this.#ended(reading, () => this.#failed(error)),
		);
	}

	#ended(reading: AbortController, then: () => void): void {
		if (this.#reading !== reading) return;
		this.#reading = undefined;
		then();
		this.#publish();
	}

	#rest(): void {
		// Something may have been wished for just now.
		if (this.#isFirstDue || this.#wanted() !== undefined) this.#run();
		else this.#waitForNext();
	}

	#waitForNext(): void {
		this.#timer = setTimeout(() => this.refetchFirst(), this.#options.paceMs());
	}

	async #readAll(reading: AbortController): Promise<void> {
		for (;;) {
			if (this.#isFirstDue) await this.#lookAtFirst();
			if (this.#reading !== reading) return;
			const wanted = this.#wanted();
			if (wanted === undefined) return;
			const {chain, cursor, limit, isNew} = wanted;
			const page = await this.#page(cursor, limit);
			if (this.#reading !== reading) return;
			if (isNew) chain.append(page, limit);
			else chain.refill(cursor, page);
			this.#show();
			this.#publish();
		}
	}

	async #page(cursor: string | undefined, limit: number): Promise<ListPage<Item>> {
		const reading = this.#reading;
		if (reading === undefined) throw new Error('nothing is being read');
		this.#publish();
		const page = await this.#read(cursor, limit, reading.signal);
		if (this.#reading === reading) {
			this.#readAt = Date.now();
			this.#error = null;
			// A cursor of an earlier run may lead nowhere: the list is read anew, whatever it begins with.
			if (this.#isRecalled) this.#renew();
			this.#isRecalled = false;
			this.#failures = 0;
		}
		return page;
	}

	/** The page to be read next: one on the screen that was let go, or the one behind the last. */
	#wanted() {
		const {page: usual, leap} = this.#options.limits;
		const chain = this.#renewal?.chain ?? this.#chain;
		const gone = this.#renewal === undefined ? chain.look(this.#looked) : undefined;
		if (gone !== undefined) return {...gone, chain, isNew: false};
		const reach = this.#renewal?.shownFrom ?? Math.max(this.#readTo, (this.#looked.at(-1) ?? 0) + ahead);
		const missing = reach + 1 - chain.names.length;
		if (missing <= 0 || chain.isEnded) return undefined;
		return {chain, cursor: chain.next, limit: missing > 3 * usual ? leap : usual, isNew: true};
	}

	/** The list read anew takes the place of the one before once it reaches as far down. */
	#show(): void {
		if (this.#renewal === undefined) return;
		const {chain, shownFrom} = this.#renewal;
		if (chain.names.length <= shownFrom && !chain.isEnded) return;
		this.#chain = chain;
		this.#renewal = undefined;
	}

	/** Looks at the first page again: what begins as before is taken to go on as before. */
	async #lookAtFirst(): Promise<void> {
		this.#isFirstDue = false;
		const {firstLimit} = this.#chain;
		if (firstLimit === undefined || this.#renewal !== undefined) return;
		const chain = this.#chain;
		const first = await this.#page(undefined, firstLimit);
		if (chain !== this.#chain) return;
		if (chain.beginsWith(first)) chain.refill(undefined, first);
		else if ((this.#looked.at(-1) ?? 0) < relistedRows) this.#renew();
		else this.#isOutdated = true;
	}

	#failed(error: unknown): void {
		this.#error = error instanceof Error ? error : new Error(String(error));
		this.#failures++;
		// Asking again with a key that was refused only fills the service's log.
		if (isLasting(error)) return;
		const pause = pauseAfter(error, {paceMs: leastPauseMs, failures: this.#failures}) + afterOthersMs(error);
		this.#nextAt = Date.now() + pause;
		this.#timer = setTimeout(() => {
			this.#nextAt = undefined;
			this.#run();
		}, pause);
	}

	#publish(): void {
		this.known.setState(this.#snapshot(), true);
	}

	#snapshot(): CursorListKnown<Item> {
		const chain = this.#chain;
		const pinned = this.#pinned.above(chain);
		const names = [...pinned.map(this.#options.nameOf), ...chain.names];
		const hasMore = !chain.isEnded && chain.names.length > 0;
		const missing = chain.total === undefined ? 1 : chain.total - chain.names.length;
		const unreadCount = hasMore ? Math.max(1, Math.min(missing, mostUnread)) : 0;
		return {
			keys: [...names.map(({key}) => key), ...new Array<string>(unreadCount).fill(unread)],
			names,
			item: row => (row < pinned.length ? pinned[row] : chain.itemAt(row - pinned.length)),
			freshness: freshnessOf({
				readAt: this.#readAt,
				isFromLastSession: this.#isRecalled,
				isReading: this.#reading !== undefined,
				error: this.#error,
				nextAt: this.#nextAt,
			}),
			isPrevious: this.#renewal?.isAsked === true && chain.names.length > 0,
			hasMore: hasMore && chain.total === undefined,
			leftOut: chain.leftOut,
			isOutdated: this.#isOutdated,
		};
	}
}

/** Things shown above the rows because they were opened by their ids. */
const mostPinned = 3;

/** An item that was opened by its id and is not among the rows so far: it stands above them until it is. */
class PinnedRows<Item> {
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
