import {useEffect, useState} from 'react';
import {useExplorer, useLocal} from '../../hooks/explorer.tsx';
import {type TrainerKnowledge, trainerKnowledge} from '../../store/hand-over/trainer-knowledge.ts';

/** What is known of this machine's trainer, asked while this is shown; undefined where the service has none to ask. */
export function useTrainer(): TrainerKnowledge | undefined {
	const {client, local} = useExplorer();
	const canAsk = useLocal(({document}) => document?.abilities.includes('trainer-options') ?? false);
	const [known, setKnown] = useState<TrainerKnowledge | undefined>(undefined);
	useEffect(() => {
		if (!canAsk) return;
		const asking = new AbortController();
		const follow = async () => {
			for await (const state of trainerKnowledge(
				client,
				(ability, signal) => local.can(ability, signal),
				asking.signal,
			))
				setKnown(state);
		};
		follow().catch(() => {
			if (!asking.signal.aborted) setKnown(undefined);
		});
		return () => asking.abort();
	}, [client, local, canAsk]);
	return known;
}
