import path from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import * as z from 'zod';
import {prepareLocalCalls} from '../client/dispatcher.ts';
import {keepCopy} from '../files/kept-copy.ts';
import {places} from '../files/places.ts';
import {tightenFolder} from '../files/private-files.ts';
import {readState, writeState} from '../files/state.ts';
import {noFilter} from '../query/filter.ts';
import {initialState} from '../store/explorer-state.ts';
import {goTo, startAt} from '../store/go-to.ts';
import {keepLocation, recallLocation} from '../store/state/last-location.ts';
import {atLocation} from '../store/state/location.ts';
import {createCopy} from '../terminal/clipboard.ts';
import {createCrashLog} from '../terminal/crash-log.ts';
import {openSession} from '../terminal/session.ts';
import {attend} from './attention.ts';
import type {ExploreOptions} from './explore-options.ts';
import {lakeOf, SessionManager} from './explore-session.ts';

const columnIds = z.array(z.string().min(1).max(200)).min(1).max(100);

/** The name under which the chosen columns are remembered. */
const columnsState = 'columns';

/** A frame without episodes is not worth drawing for a service that answers within this. */
const quickAnswerMs = 150;

/**
 * Opens the explorer on a terminal. The terminal's session ends the process when the user does, or when a service that was
 * starting cannot be joined.
 *
 * @throws what joining the service failed with, if the terminal has not been touched yet.
 */
export async function explore(options: ExploreOptions): Promise<never> {
	const remembered = readState(columnsState, columnIds);
	// React and Ink load while a service is joined; one that is there is asked for its first page before that.
	if (!(await isSettled(options.answers))) void Promise.all([import('../app.tsx'), prepareLocalCalls()]);
	const service = await options.service;
	let failure: {error: unknown} | undefined;
	options.answers.catch(error => {
		failure = {error};
	});
	const last = options.filter === undefined ? await recallLocation(lakeOf(service)) : undefined;
	const begun = {...initialState(options.filter ?? noFilter, await remembered), sort: options.sort};
	const placed = last === undefined ? begun : atLocation(last)(begun);
	const state = options.link === undefined ? placed : startAt(options.link)(placed);
	const stage = new SessionManager({...options, service, state});
	const {drawApp} = await import('../app.tsx');
	// While a service starts, the page of an earlier run is shown.
	const firstAnswer = (await isSettled(options.answers))
		? stage.explorer.answered()
		: stage.recallFirstPage();
	await Promise.all([stage.loaded(), Promise.race([firstAnswer, delay(quickAnswerMs)])]);
	if (failure !== undefined) throw failure.error;
	const session = openSession({
		program: 'lakescope',
		hasTitle: options.attention.title,
		writer: options.writer,
		pictures: options.pictures,
		mouse: options.mouse,
		log: createCrashLog(path.join(places().state, 'lakescope.log'), () => stage.keys),
		async finish() {
			const {columns} = stage.explorer.state.getState();
			const kept = [
				keepLocation(stage.lake, stage.explorer.places.here()),
				columns === state.columns ? undefined : writeState(columnsState, columns),
			];
			const goesOn = await stage.close().finally(() => Promise.allSettled(kept));
			const problems = await Promise.all(kept);
			return problems.find(problem => problem !== undefined) ?? goesOn;
		},
	});
	options.answers.catch(async error => {
		const {exitCodeOf, sentenceOf} = await import('./print/failure.ts');
		session.end({how: 'refused', sentence: sentenceOf(error), exitCode: exitCodeOf(error)});
	});
	const {capabilities, send} = session;
	const copy = createCopy({capabilities, send, keep: keepCopy});
	drawApp(session, stage.explorerSession, {copy, keys: options.keys});
	attend(session, stage.explorerSession, options.attention);
	for (const problem of options.problems) stage.explorer.notify('warning', problem);
	if (options.greeting !== undefined) stage.explorer.notify('info', options.greeting);
	if (options.link?.kind === 'episode') goTo(stage.explorer, options.link);
	void stage.begin();
	const {state: stateFolder, cache} = places();
	for (const folder of [stateFolder, cache]) void tightenFolder(folder);
	return new Promise<never>(() => undefined);
}

/** True for a promise that settles within a turn of the event loop. */
function isSettled(promise: Promise<unknown>): Promise<boolean> {
	const settled = promise.then(
		() => true,
		() => true,
	);
	return Promise.race([settled, new Promise<boolean>(resolve => setImmediate(resolve, false))]);
}
