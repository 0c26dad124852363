import {useCallback} from 'react';
import type {Binding} from '../input/binding.ts';
import {showKeys} from '../input/key-name.ts';
import {useRouter, useRouterSnapshot} from '../input/react.tsx';
import {useScreen} from './screen.tsx';

/** Names the key of an action, as the user has bound it; undefined without a key. */
export type KeyOf = (action: string) => string | undefined;

/**
 * Names keys for sentences.
 *
 * @param own bindings of the component itself, which are not in place yet when it is drawn first.
 */
export function useKeyOf(own?: readonly Binding[]): KeyOf {
	const router = useRouter();
	const {drawing} = useScreen();
	// Keys change together with the active bindings.
	useRouterSnapshot();
	return useCallback<KeyOf>(
		action => {
			const [keys] = router.keysOf(action, own);
			return keys && showKeys(keys, {unicode: !drawing.ascii});
		},
		[router, own, drawing.ascii],
	);
}

type Way = readonly [action: string, does: string];

/** Actions as `key does this`, each; actions without a key are left out. */
export function keyWords(keyOf: KeyOf, ways: readonly Way[]): readonly string[] {
	return ways.flatMap(([action, does]) => {
		const key = keyOf(action);
		return key === undefined ? [] : [`${key} ${does}`];
	});
}

/** The same as one sentence, with commas; empty if no action has a key. */
export function keySentence(keyOf: KeyOf, ways: readonly Way[]): string {
	const words = keyWords(keyOf, ways);
	return words.length === 0 ? '' : `${words.join(', ')}.`;
}
