import {useCallback} from 'react';
import type {Binding} from '../input/binding.ts';
import {showKeys} from '../input/key-name.ts';
import {useRouter, useRouterSnapshot} from '../input/react.tsx';
import {useScreen} from './screen.tsx';

/** Names the key of an action, as the user has bound it; undefined where none is. */
export type KeyOf = (action: string) => string | undefined;

/**
 * For sentences that name keys.
 *
 * @param own bindings of the component itself, which are not in place yet when it is drawn first.
 */
export function useKeyOf(own?: readonly Binding[]): KeyOf {
	const router = useRouter();
	const {drawing} = useScreen();
	// What is bound changes together with what can be pressed.
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

/** What can be done, `key does this` each; what no key does is left out. */
export function keyWords(keyOf: KeyOf, ways: readonly Way[]): readonly string[] {
	return ways.flatMap(([action, does]) => {
		const key = keyOf(action);
		return key === undefined ? [] : [`${key} ${does}`];
	});
}

/** The same as one sentence, a comma between; empty where no key does any of it. */
export function keySentence(keyOf: KeyOf, ways: readonly Way[]): string {
	const words = keyWords(keyOf, ways);
	return words.length === 0 ? '' : `${words.join(', ')}.`;
}
