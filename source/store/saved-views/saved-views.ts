import {createStore, type StoreApi} from 'zustand/vanilla';
import type {Client} from '../../client/client.ts';
import type {DefinitionItem} from '../../contract/local-definitions.ts';
import {episodeSort} from '../../contract/local-explore.ts';
import {deleteView, readViews, type SavedView, writeView} from '../../files/saved-views.ts';
import type {Filter} from '../../query/filter.ts';
import {parse} from '../../query/parse.ts';
import {print} from '../../query/print.ts';
import type {TableColumnsState} from '../episodes/table-columns.ts';
import {listStart} from '../state/list-location.ts';
import {atLocation} from '../state/location.ts';
import type {Transition, UserState} from '../state/user-state.ts';
import {filterOfDefinition} from './read-definition.ts';

export type {SavedView} from '../../files/saved-views.ts';

type Change = Transition<UserState & TableColumnsState>;

type SavedViewsOptions = {
	readonly state: StoreApi<UserState & TableColumnsState>;
	readonly client: Pick<Client, 'definition' | 'listDefinitions'>;
	/** The service lists its definitions: the embedded one does. */
	readonly canList: () => boolean;
	readonly goTo: (filter: Filter, change: Change) => void;
	readonly notify: (kind: 'info' | 'warning' | 'error', text: string) => void;
};

/** The views and definitions that can be opened. */
export type SavedViewsKnown = {
	readonly isReading: boolean;
	readonly views: readonly SavedView[];
	/** Definitions that the service lists. */
	readonly definitions: readonly DefinitionItem[];
};

/** More of a service's definitions are not listed; the others open by their id. */
const mostDefinitions = 200;

/** Filters under names, kept in files of this machine, and the definitions that a service has saved. */
export class SavedViews {
	readonly known: StoreApi<SavedViewsKnown> = createStore<SavedViewsKnown>(() => ({
		isReading: false,
		views: [],
		definitions: [],
	}));
	readonly #options: SavedViewsOptions;
	readonly #stopped = new AbortController();

	constructor(options: SavedViewsOptions) {
		this.#options = options;
	}

	/** Reads what there is: another explorer may have saved some meanwhile. */
	async read(): Promise<void> {
		this.known.setState({isReading: true});
		await Promise.all([this.#readViews(), this.#readDefinitions()]);
		this.known.setState({isReading: false});
	}

	/** The view of this name, whatever its case. */
	named(name: string): SavedView | undefined {
		const wanted = name.trim().toLowerCase();
		return this.known.getState().views.find(view => view.name.toLowerCase() === wanted);
	}

	/** Saves the filter with its columns and its order, in the place of `before` where that is given. */
	save(name: string, before?: SavedView): Promise<boolean> {
		const {filter, sort, columns} = this.#options.state.getState();
		const content = {
			name: name.trim(),
			filter: print(filter),
			sort,
			columns: columns === undefined ? undefined : [...columns],
		};
		return this.#change(() => writeView(content, before), `Saved as "${content.name}".`);
	}

	rename(view: SavedView, name: string): Promise<boolean> {
		const {filter, sort, columns} = view;
		return this.#change(() => writeView({name: name.trim(), filter, sort, columns}, view), undefined);
	}

	remove(view: SavedView): Promise<boolean> {
		return this.#change(() => deleteView(view), `Deleted "${view.name}".`);
	}

	/** Goes to a saved view. @returns whether its filter can be read */
	open({name, filter: line, sort, columns}: SavedView): boolean {
		const read = parse(line);
		if (read.ok) {
			// One that another version of the program saved may be by a figure that is not known here.
			const known = episodeSort.optional().catch(undefined).parse(sort);
			this.#goTo(read.filter, state => ({...state, sort: known, columns, columnShift: 0}));
			return true;
		}
		this.#options.notify('error', `The filter of "${name}" cannot be read: ${read.problems[0].message}`);
		return false;
	}

	/**
	 * Opens a definition of the service.
	 *
	 * @returns its body as it came, where it cannot be read as a filter; undefined where it was opened, or could not be had.
	 */
	async openDefinition(id: string): Promise<{readonly body: unknown} | undefined> {
		try {
			const {data} = await this.#options.client.definition(id.trim(), {signal: this.#stopped.signal});
			const filter = filterOfDefinition(data);
			if (filter === undefined) return {body: data};
			this.#goTo(filter);
		} catch (error) {
			this.#notifyFailure(error);
		}
		return undefined;
	}

	stop(): void {
		this.#stopped.abort();
	}

	#goTo(filter: Filter, besides: Change = state => state): void {
		const there = atLocation({view: 'explore', filter, position: listStart});
		this.#options.goTo(filter, state => besides(there(state)));
	}

	async #change(change: () => Promise<void>, done: string | undefined): Promise<boolean> {
		try {
			await change();
			if (done !== undefined) this.#options.notify('info', done);
			await this.#readViews();
			return true;
		} catch (error) {
			this.#notifyFailure(error);
			return false;
		}
	}

	async #readViews(): Promise<void> {
		try {
			const {views, problems} = await readViews();
			for (const problem of problems) this.#options.notify('warning', problem);
			this.known.setState({views});
		} catch (error) {
			this.#notifyFailure(error);
		}
	}

	async #readDefinitions(): Promise<void> {
		const {client, canList} = this.#options;
		if (!canList()) return;
		try {
			const {data} = await client.listDefinitions({limit: mostDefinitions}, {signal: this.#stopped.signal});
			this.known.setState({definitions: data.items});
		} catch (error) {
			this.#notifyFailure(error);
		}
	}

	#notifyFailure(error: unknown): void {
		if (this.#stopped.signal.aborted) return;
		this.#options.notify('error', error instanceof Error ? error.message : String(error));
	}
}
