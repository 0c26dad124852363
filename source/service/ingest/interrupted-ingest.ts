import {setTimeout as delay} from 'node:timers/promises';
import type {Log} from '../host/log.ts';
import {systemReason} from '../host/start-error.ts';
import {type HeldDataset, type LakeEngine, LakeError} from '../lake/engine.ts';
import {type IngestOperation, isTerminal} from '../operations/ingest-operation.ts';
import type {IngestStore} from '../operations/ingest-store.ts';

/** How long it takes until what could not be recorded is tried again. */
const againMs = 500;

/** The dataset of an ingest that was published but not yet recorded as such. */
export async function publishedBefore(
	lake: Pick<LakeEngine, 'dataset'>,
	{phase, datasetName, expectedGeneration}: IngestOperation,
): Promise<HeldDataset | undefined> {
	if (phase !== 'publishing') return undefined;
	const held = await lake.dataset(datasetName);
	return held?.generation === expectedGeneration ? held : undefined;
}

/**
 * Notes how an ingest ended that was interrupted for a reason of this machine's: it failed, unless its publication
 * had taken place. On a disk that takes nothing it waits until there is room.
 *
 * @param signal ends the waiting; the next service then takes the ingest up
 */
export async function settleInterrupted(
	{store, lake, log}: {store: IngestStore; lake: Pick<LakeEngine, 'dataset'>; log: Log},
	operation: IngestOperation,
	error: unknown,
	signal: AbortSignal,
): Promise<void> {
	const {operationId, datasetName} = operation;
	log(`ingest of ${datasetName}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
	const reason = systemReason(error);
	// Some reasons are whole sentences.
	const message =
		error instanceof LakeError
			? error.message
			: `Cannot ingest ${datasetName}: ${reason}${reason.endsWith('.') ? '' : '.'}`;
	for (let tries = 0; !signal.aborted; tries++) {
		try {
			const latest = store.get(operationId) ?? operation;
			const published = await publishedBefore(lake, latest);
			if (published) store.finalize(operationId, published);
			else if (!isTerminal(latest.phase)) {
				store.fail(operationId, message, latest.problems, latest.problemCount);
			}
			return;
		} catch (unwritten) {
			// Only the disk may come round.
			const mayPass = typeof (unwritten as {errcode?: unknown}).errcode === 'number';
			const next = mayPass ? 'it is tried again' : 'the next service takes it up again';
			if (tries === 0) log(`and that could not be recorded: ${systemReason(unwritten)}; ${next}`);
			if (!mayPass) return;
			await delay(againMs, undefined, {signal}).catch(() => undefined);
		}
	}
}
