import {onTestFinished} from 'vitest';
import type {StoreApi} from 'zustand/vanilla';
import {type Client, createClient} from '../../source/client/client.ts';
import {type Filter, noFilter} from '../../source/query/filter.ts';
import {parse} from '../../source/query/parse.ts';
import {Explorer} from '../../source/store/explorer.ts';
import {type ExplorerState, initialState} from '../../source/store/explorer-state.ts';
import {createQueryClient} from '../../source/store/queries/query-client.ts';
import {Remembered} from '../../source/store/state/remembered.ts';
import type {Uploader} from '../../source/store/uploads/uploader.ts';
import type {HostedService} from '../hosted-service/server.ts';

/** How long anything waited for may take. */
const deadlineMs = 20_000;

/** Waits until a store's state is so. */
export function until<State>(store: StoreApi<State>, isSo: (state: State) => boolean): Promise<State> {
	return new Promise((resolve, reject) => {
		const timer = setTimeout(() => {
			stop();
			reject(
				new Error(`waited ${deadlineMs / 1000} s; the state: ${JSON.stringify(store.getState(), plain)}`),
			);
		}, deadlineMs);
		const look = () => {
			if (!isSo(store.getState())) return;
			clearTimeout(timer);
			stop();
			resolve(store.getState());
		};
		const stop = store.subscribe(look);
		look();
	});
}

const plain = (_key: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

/** The filter that a line says. */
export function filterOf(line: string): Filter {
	const read = parse(line);
	if (!read.ok) throw new Error(read.problems[0].message);
	return read.filter;
}

/** A client that ends with the test and tries nothing twice. */
export function clientOf({url, key}: Pick<HostedService, 'url' | 'key'>): Client {
	const client = createClient({baseUrl: url, key, retry: {tries: 1}});
	onTestFinished(() => client.close());
	return client;
}

/** What outlives a run; what it has still to write is written before the test's folder goes. */
export function rememberedOf(lake: string, notify: (sentence: string) => void = () => undefined): Remembered {
	const remembered = new Remembered({lake, notify});
	onTestFinished(async () => {
		await remembered.keep();
	});
	return remembered;
}

/** An explorer of a service, which ends with the test. */
export function explorerOf(
	service: Pick<HostedService, 'url' | 'key'>,
	state: Partial<ExplorerState> = {},
	/** The lake whose state is kept on the disk; without it, nothing is kept. */
	{lake, uploader}: {lake?: string; uploader?: Uploader} = {},
): Explorer {
	const explorer = new Explorer({
		...(lake !== undefined && {remembered: rememberedOf(lake)}),
		...(uploader !== undefined && {uploader}),
		client: clientOf(service),
		queries: createQueryClient(),
		state: {...initialState(noFilter, undefined), ...state},
	});
	onTestFinished(() => explorer.stop());
	return explorer;
}
