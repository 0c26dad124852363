import type {Client} from '../client/client.ts';
import {openDispatcher} from '../client/dispatcher.ts';
import {defaultTimeouts} from '../client/options.ts';
import type {LocalDocument} from '../contract/local.ts';
import {type Destination, embeddedDestination, hostedDestination} from '../upload/destination.ts';
import {HashPool} from '../upload/hash-pool.ts';
import {Journal} from '../upload/journal.ts';
import {type ChosenService, chooseService, joinLake} from './chosen-service.ts';
import {rejoining} from './rejoin.ts';
import type {Session} from './session.ts';
import type {Settings} from './settings.ts';

/** Starts of an embedded service that keeps going away. */
const mostJoins = 5;

/** The service that datasets are sent to: the hosted one, or the one of the person's lake, never the sample's. */
function joinForUpload(settings: Settings): Promise<ChosenService> {
	return settings.hosted ? chooseService(settings) : joinLake(settings.lakeFolder);
}

/**
 * Runs `work` with the service that datasets are sent to; where that is an embedded one and goes away, again with
 * the next one of the same lake.
 *
 * @param work is given a signal that aborts with the other, or when the service has gone.
 * @param onGone called before `work` runs again.
 */
export function withUploadService<T>(
	settings: Settings,
	{signal, onGone}: {signal: AbortSignal; onGone: () => void},
	work: (session: Session, signal: AbortSignal) => Promise<T>,
): Promise<T> {
	return rejoining({join: () => joinForUpload(settings), mostJoins, signal, onGone}, work);
}

/** True for an embedded service, which commits uploads and reports what it holds. */
export function takesUploads(document: LocalDocument | undefined): document is LocalDocument {
	return document?.abilities.includes('uploads') ?? false;
}

/** The warning that a hosted service makes no dataset of what is sent to it. */
export function blobsAloneWords(
	{client}: Pick<Session, 'client'>,
	name: string,
	are: 'are' | 'would be',
): string {
	return `${client.address.shown} is a hosted service: committing an upload is not part of its interface. The blobs of ${name} ${are} sent, but no dataset is made of them there.`;
}

/** Where the blobs of one upload go. @param uploadId the embedded service's upload that they are for */
export function destinationOf(
	{client, service}: Session,
	document: LocalDocument | undefined,
	uploadId?: string,
): Destination {
	const allowHttp = service.clientOptions.allowHttp ?? false;
	return takesUploads(document)
		? embeddedDestination(client, allowHttp, uploadId)
		: hostedDestination(client, allowHttp);
}

/** The service that a journal's confirmations belong to: the port of an embedded service changes, its lake does not. */
function identityOf({client, service}: Session, document: LocalDocument | undefined): string {
	const {address} = client;
	if (document) return `${address.loopback ? 'this machine' : address.shown} ${document.lake.folder}`;
	return `${address.shown} ${service.clientOptions.accountId ?? ''}`;
}

/** The journal of earlier uploads of a folder to this service. */
export function journalOf(
	session: Session,
	document: LocalDocument | undefined,
	folder: string,
	say: (sentence: string) => void,
): Journal {
	return new Journal({service: identityOf(session, document), folder}, say);
}

/** Gives `work` threads that hash files; they end with it, or when the signal aborts. */
export async function withHashPool<T>(signal: AbortSignal, work: (pool: HashPool) => Promise<T>): Promise<T> {
	const pool = new HashPool();
	const onAbort = () => void pool.close();
	signal.addEventListener('abort', onAbort, {once: true});
	try {
		return await work(pool);
	} finally {
		signal.removeEventListener('abort', onAbort);
		await pool.close();
	}
}

/** Opens connections to the addresses that blobs are sent to, trusting what the service's own connection trusts. */
export function uploadDispatcher(client: Client, {clientOptions}: ChosenService) {
	return openDispatcher({
		loopback: client.address.loopback,
		extraCertificates: clientOptions.extraCertificates,
		connectMs: defaultTimeouts.connect,
		keepAlive: true,
	});
}
