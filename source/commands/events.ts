import {RefusedError} from '../client/errors.ts';
import {type AccountEvent, AccountEvents, type StreamState} from '../client/events/account-events.ts';
import {exactJson, visibleJson} from '../contract/json-text.ts';
import {printable} from '../terminal/printable.ts';
import {moment} from '../terminal/quantity.ts';
import {fitTo} from '../terminal/width.ts';
import type {CommandLine} from './flags.ts';
import {InterruptedError, interruptible} from './interruption.ts';
import {exitCodes, UsageError} from './print/failure.ts';
import {outputWidth, say, write} from './print/output.ts';
import type {Session} from './session.ts';
import {readSettings} from './settings.ts';
import {stayJoined} from './stay-joined.ts';

/** An event as one JSON line: its data as JSON where it is that, as text otherwise. */
function jsonLine({id, name, data, receivedAt, hint}: AccountEvent): string {
	const received_at = new Date(receivedAt).toISOString();
	const line = {received_at, id: id ?? null, name, data: hint.payload === undefined ? data : hint.payload};
	return `${visibleJson(exactJson(line))}\n`;
}

function textLine({name, data, receivedAt}: AccountEvent): string {
	const line = `${moment(receivedAt)}  ${printable(name)}  ${printable(data)}`;
	const width = outputWidth();
	return `${Number.isFinite(width) ? fitTo(line, width).trimEnd() : line}\n`;
}

/** Says how the stream is, when that is news. */
function stateTeller(shown: string): (state: StreamState) => void {
	let told = '';
	return state => {
		if (state.phase === 'connecting') return;
		const words = state.phase === 'live' ? `Listening to ${shown}; ^C ends it.` : state.reason;
		if (words !== told) say(words);
		told = words;
	};
}

/** Prints events until the signal is aborted; a stream that cannot be had at all is a failure. */
async function listen(
	{client}: Session,
	signal: AbortSignal,
	{json, isReturn}: {json: boolean; isReturn: boolean},
): Promise<void> {
	const missed = () => say('Events may have been missed here.');
	const hopeless = new AbortController();
	const notify = stateTeller(client.address.shown);
	let opened = false;
	let refusals = 0;
	const events = new AccountEvents(client, {
		state(state) {
			const isFirst = !opened && state.phase === 'live';
			opened ||= isFirst;
			// The failure of the very first try is the command's own, and that of a key which is refused twice in a row.
			refusals =
				state.phase === 'stopped' && events.failure instanceof RefusedError ? refusals + 1 : refusals;
			if (state.phase === 'live') refusals = 0;
			if ((!opened && state.phase !== 'connecting') || refusals > 1) hopeless.abort();
			else notify(state);
			if (isFirst && isReturn) missed();
		},
		event: event => write(json ? jsonLine(event) : textLine(event)),
		gap: missed,
	});
	await events.run(AbortSignal.any([signal, hopeless.signal]));
	signal.throwIfAborted();
	throw events.failure;
}

/** `lakescope events [--json]`: the account's events as they come, until ^C. */
export async function events({words, flags}: CommandLine): Promise<number> {
	if (words.length > 0) throw new UsageError(`lakescope events takes no "${words[0]}".`);
	const settings = await readSettings(flags);
	const {json = false} = flags;
	let sessions = 0;
	try {
		await interruptible(interrupt =>
			stayJoined(settings, interrupt, (session, signal) =>
				listen(session, signal, {json, isReturn: ++sessions > 1}),
			),
		);
		return exitCodes.fine;
	} catch (error) {
		if (error instanceof InterruptedError) return error.exitCode;
		throw error;
	}
}
