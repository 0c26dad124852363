import {setTimeout as delay} from 'node:timers/promises';
import type {Client} from '../../client/client.ts';

/** Whether the trainer of the service's machine can leave episodes out; why that is not known, where it is not. */
export type TrainerKnowledge =
	| {readonly kind: 'asking'}
	| {readonly kind: 'knows' | 'lacks'; readonly message: string}
	/** There is none, or it does not tell. */
	| {readonly kind: 'unknown'; readonly message: string};

const againMs = 1000;

/** Asks until the service has found out; each state as it comes. */
export async function* trainerKnowledge(
	client: Pick<Client, 'trainerOptions'>,
	signal: AbortSignal,
): AsyncGenerator<TrainerKnowledge, void> {
	yield {kind: 'asking'};
	for (;;) {
		const {data} = await client.trainerOptions({signal});
		const {exclude_episodes: knows, is_asking, message} = data;
		if (!is_asking) {
			yield knows == null ? {kind: 'unknown', message} : {kind: knows ? 'knows' : 'lacks', message};
			return;
		}
		await delay(againMs, undefined, {signal});
	}
}
