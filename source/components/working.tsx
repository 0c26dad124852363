import {Text} from 'ink';
import {lazy, type ReactNode, Suspense} from 'react';
import {useScreen} from './screen.tsx';

/** Loaded with the first thing that runs: no start waits for it. */
const Spinner = lazy(() => import('ink-spinner'));

/**
 * One cell that turns while something runs. It stands still over a network, read aloud, and where the screen cannot be
 * addressed.
 */
export function Working(): ReactNode {
	const {drawing, signs} = useScreen();
	const still = <Text>{signs.ring}</Text>;
	if (drawing.remote || drawing.spoken || !drawing.attributes) return still;
	return (
		<Suspense fallback={still}>
			<Spinner type={drawing.ascii ? 'line' : 'dots'} />
		</Suspense>
	);
}
