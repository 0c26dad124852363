import {stat} from 'node:fs/promises';
import type {Client} from '../client/client.ts';
import type {ClientOptions} from '../client/options.ts';
import {places} from '../files/places.ts';
import type {JoinedService, JoinOptions, StartingService} from '../service/front-door.ts';
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
	/**
	 * Settles when an embedded service has gone, or another process was quicker to serve the lake: choose again to go on.
	 * Never settles for a hosted one.
	 */
	readonly lost: Promise<'gone' | 'elsewhere'>;
	/** Lets an embedded service end once no other process uses it. */
	leave(): void;
};

/**
 * Called when an embedded service was started: with the service, where it is certain that it will be the chosen one. Until
 * it answers, what it is asked waits.
 */
type OnStarting = (starting: ChosenService | undefined) => void;

type Folders = {readonly lakeFolder: string; readonly emptyLake?: string};

function embedded(
	kind: 'lake' | 'sample',
	{
		url,
		key,
		readOnly,
		lost,
		leave,
	}: Pick<JoinedService, 'url' | 'key' | 'readOnly' | 'leave'> & Pick<ChosenService, 'lost'>,
	folders: Folders,
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

const untilGone = ({lost}: JoinedService) => lost.then(() => 'gone' as const);

/** Joins a lake's service; `onStarting` gets one that is started here, before it answers. */
async function joinEarly(
	kind: 'lake' | 'sample',
	folders: Folders,
	onStarting: OnStarting,
): Promise<ChosenService> {
	const {promise, resolve, reject} = Promise.withResolvers<JoinedService>();
	const started = ({url, key}: StartingService) => {
		const lost: ChosenService['lost'] = promise.then(
			joined => (joined.url === url ? untilGone(joined) : 'elsewhere'),
			() => 'gone',
		);
		const leave = () => {
			void promise.then(
				joined => joined.leave(),
				() => undefined,
			);
		};
		onStarting(embedded(kind, {url, key, readOnly: undefined, lost, leave}, folders));
	};
	promise.catch(() => undefined);
	try {
		const joined = await join({
			lakeFolder: folders.lakeFolder,
			sample: kind === 'sample',
			onStarting: started,
		});
		resolve(joined);
		return embedded(kind, {...joined, lost: untilGone(joined)}, folders);
	} catch (error) {
		reject(error);
		throw error;
	}
}

function joinSample(onStarting: OnStarting, emptyLake?: string): Promise<ChosenService> {
	const lakeFolder = places().sample;
	return joinEarly('sample', {lakeFolder, ...(emptyLake === undefined ? {} : {emptyLake})}, onStarting);
}

/** The lake of a folder on this machine, whatever it holds. */
export function joinLake(
	lakeFolder: string,
	onStarting: OnStarting = () => undefined,
): Promise<ChosenService> {
	return joinEarly('lake', {lakeFolder}, onStarting);
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

/** True for a lake that an explorer has left: it held something. */
async function wasOpened(lakeFolder: string): Promise<boolean> {
	// The explorer reads it next; what starts the service does not wait for that code.
	const {recallLocation} = await import('../store/state/last-location.ts');
	return recallLocation(lakeFolder).then(
		location => location !== undefined,
		() => false,
	);
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
	let isShown = Promise.resolve(false);
	const lake = await joinLake(lakeFolder, starting => {
		isShown = wasOpened(lakeFolder).then(wasOpen => {
			onStarting(wasOpen ? starting : undefined);
			return wasOpen;
		});
	});
	if (await isShown) return lake;
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
