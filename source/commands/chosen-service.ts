import {stat} from 'node:fs/promises';
import type {Client} from '../client/client.ts';
import type {ClientOptions} from '../client/options.ts';
import {places} from '../files/places.ts';
import type {JoinedService, JoinOptions} from '../service/front-door.ts';
import type {Settings} from './settings.ts';

/** The service that is spoken to, running. */
export type ChosenService = {
	readonly kind: 'hosted' | 'lake' | 'sample';
	/** For `createClient`. */
	readonly clientOptions: ClientOptions;
	/** The folder of the embedded service's lake. */
	readonly lakeFolder: string | undefined;
	/** The person's own lake, where the sample stands in for it because it holds nothing yet. */
	readonly emptyLake: string | undefined;
	/** The sentence that says why an embedded service's lake can only be read. */
	readonly readOnly: string | undefined;
	/** Settles when an embedded service has gone: choose again to go on. Never settles for a hosted one. */
	readonly lost: Promise<void>;
	/** Lets an embedded service end once no other process uses it. */
	leave(): void;
};

/** Called when an embedded service was started, and there is nothing to do but wait for it. */
type OnStarting = () => void;

function embedded(
	kind: 'lake' | 'sample',
	{url, key, readOnly, lost, leave}: JoinedService,
	folders: {lakeFolder: string; emptyLake?: string},
): ChosenService {
	return {
		kind,
		clientOptions: {baseUrl: url, key},
		lakeFolder: folders.lakeFolder,
		emptyLake: folders.emptyLake,
		readOnly,
		lost,
		leave,
	};
}

/** Only who needs an embedded service loads what starts one. */
async function join(options: JoinOptions): Promise<JoinedService> {
	const {joinEmbeddedService} = await import('../service/front-door.ts');
	return joinEmbeddedService(options);
}

async function joinSample(onStarting: OnStarting, emptyLake?: string): Promise<ChosenService> {
	const lakeFolder = places().sample;
	const joined = await join({lakeFolder, sample: true, onStarting});
	return embedded('sample', joined, {lakeFolder, ...(emptyLake === undefined ? {} : {emptyLake})});
}

/** The lake of a folder on this machine, whatever it holds. */
export async function joinLake(
	lakeFolder: string,
	onStarting: OnStarting = () => undefined,
): Promise<ChosenService> {
	return embedded('lake', await join({lakeFolder, onStarting}), {lakeFolder});
}

const exists = (file: string) =>
	stat(file).then(
		() => true,
		() => false,
	);

/** True for a lake that is empty and has no ingest under way. */
async function holdsNothing(client: Client): Promise<boolean> {
	const document = await client.localDocument();
	if (!document || document.lake.episodes > 0) return false;
	const {data} = await client.listIngests();
	return data.items.every(({status}) => status.done);
}

/**
 * Joins the service that the settings mean, starting it where it is an embedded one. The sample stands in for a lake
 * that was not named and that holds nothing; a person's own data always goes before it.
 */
export async function chooseService(
	settings: Settings,
	onStarting: OnStarting = () => undefined,
): Promise<ChosenService> {
	const {hosted, lakeFolder, lakeNamed, sample} = settings;
	if (hosted) {
		return {
			kind: 'hosted',
			clientOptions: hosted,
			lakeFolder: undefined,
			emptyLake: undefined,
			readOnly: undefined,
			lost: new Promise(() => undefined),
			leave: () => undefined,
		};
	}
	if (sample) return joinSample(onStarting);
	if (lakeNamed) return joinLake(lakeFolder, onStarting);
	const {lakeFileOf} = await import('../service/front-door.ts');
	if (!(await exists(lakeFileOf(lakeFolder)))) return joinSample(onStarting, lakeFolder);
	const lake = await joinLake(lakeFolder, onStarting);
	const {createClient} = await import('../client/client.ts');
	const client = createClient(lake.clientOptions);
	try {
		if (!(await holdsNothing(client))) return lake;
	} catch (error) {
		lake.leave();
		throw error;
	} finally {
		await client.close();
	}
	lake.leave();
	return joinSample(onStarting, lakeFolder);
}
