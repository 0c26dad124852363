import {setTimeout as delay} from 'node:timers/promises';
import type {Client} from '../../client/client.ts';
import type {LocalTrainer} from '../../contract/local-jobs.ts';

/** Whether the trainer of the service's machine can leave episodes out; why that is not known, where it is not. */
export type TrainerKnowledge =
	| {readonly kind: 'asking'}
	| {readonly kind: 'knows' | 'lacks'; readonly message: string}
	/** There is none, or it does not tell. */
	| {readonly kind: 'unknown'; readonly message: string};

const againMs = 1000;

type TrainerClient = Pick<Client, 'address' | 'trainer' | 'trainerEnvironment'>;
/** Whether the service has an ability of the embedded one. */
export type Can = (ability: string, signal: AbortSignal) => Promise<boolean>;

/**
 * What a fine-tune would run on. A service of this machine is told this program's environment: it may have been started by
 * a shell that has no trainer. Nobody else hears of it.
 *
 * @throws where the service is another, which does not know the question
 */
export async function askTrainer(
	client: TrainerClient,
	can: Can,
	signal: AbortSignal,
): Promise<LocalTrainer> {
	if (client.address.loopback && (await can('trainer-environment', signal))) {
		const {PATH = '', VIRTUAL_ENV = null, CONDA_PREFIX = null} = process.env;
		return (await client.trainerEnvironment({PATH, VIRTUAL_ENV, CONDA_PREFIX}, {signal})).data;
	}
	return (await client.trainer({signal})).data;
}

/** Asks until the service has found out; each state as it comes. */
export async function* trainerKnowledge(
	client: TrainerClient & Pick<Client, 'trainerOptions'>,
	can: Can,
	signal: AbortSignal,
): AsyncGenerator<TrainerKnowledge, void> {
	yield {kind: 'asking'};
	await askTrainer(client, can, signal);
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
