import {type DOMElement, measureElement} from 'ink';
import {
	createContext,
	type ReactNode,
	type RefObject,
	useCallback,
	useContext,
	useEffect,
	useLayoutEffect,
	useMemo,
	useRef,
	useState,
	useSyncExternalStore,
} from 'react';
import type {MouseEvent} from '../terminal/input-event.ts';
import {pass} from './binding.ts';
import type {Focus} from './focus.ts';
import type {Layer, LayerHandle, Level} from './layer-stack.ts';
import type {Router, RouterSnapshot} from './router.ts';

type Input = {readonly router: Router; readonly focus: Focus};

const InputContext = createContext<Input | undefined>(undefined);

/** Gives the tree its router and its focus, and lets the router wait for what a key brought about. */
export function InputProvider({router, focus, children}: Input & {readonly children: ReactNode}): ReactNode {
	const input = useMemo(() => ({router, focus}), [router, focus]);
	return (
		<InputContext value={input}>
			{children}
			<CommitMarker router={router} />
		</InputContext>
	);
}

/**
 * Answers the router's `settle`: an update of its own is committed together with those that the key set
 * off, and as the last child its effects run when the layers of new components are in place.
 */
function CommitMarker({router}: {readonly router: Router}): ReactNode {
	const [mark, setMark] = useState(0);
	const waiting = useRef<(() => void)[]>([]);

	const release = useCallback(() => {
		for (const done of waiting.current.splice(0)) done();
	}, []);

	useLayoutEffect(() => {
		router.setSettle(done => {
			waiting.current.push(done);
			setMark(previous => previous + 1);
		});
		return () => {
			router.setSettle(undefined);
			release();
		};
	}, [router, release]);

	useEffect(() => {
		// A change of a store during this commit reaches new subscribers with these very effects (the focus of a view
		// that was just mounted); React commits that before the next microtask.
		if (mark > 0) queueMicrotask(release);
	}, [mark, release]);

	return null;
}

function useInputContext(hook: string): Input {
	const input = useContext(InputContext);
	if (input === undefined) throw new Error(`${hook} needs an InputProvider above it`);
	return input;
}

/** The router of this tree. */
export function useRouter(): Router {
	return useInputContext('useRouter').router;
}

/** The keys that can be pressed now (footer), those that the screen offers (help, palette), and a chord begun. */
export function useRouterSnapshot(): RouterSnapshot {
	const {router} = useInputContext('useRouterSnapshot');
	return useSyncExternalStore(router.subscribe, router.getSnapshot, router.getSnapshot);
}

type LayerOptions = Omit<Layer, 'mouse'> & {
	/** False where it takes no part: a pane's layer does only while the pane has the focus. @default true */
	readonly active?: boolean;
};

/** Keeps a layer on the router's stack while the component is mounted and the layer active. */
export function useBindings({active = true, ...layer}: LayerOptions): void {
	const {router} = useInputContext('useBindings');
	const handle = useRef<LayerHandle | undefined>(undefined);
	const latest = useRef(layer);

	useLayoutEffect(() => {
		latest.current = layer;
		// The same bindings too: what they are called and whether they apply may have changed with what is drawn.
		handle.current?.update(layer);
	});

	useLayoutEffect(() => {
		if (!active) return;
		const added = router.add(latest.current);
		handle.current = added;
		return () => {
			handle.current = undefined;
			added.remove();
		};
	}, [router, active]);
}

/** A rectangle of the screen that hears the mouse; rows and columns count from its own upper left corner. */
type MouseArea = {
	readonly id: string;
	readonly level: Level;
	/** The modal layer that it is a part of; what lies below one hears nothing. */
	readonly within?: string;
	/** The left button went down. @returns `pass` where that means nothing here. */
	readonly press?: (row: number, column: number) => unknown;
	/** The wheel was turned by so many rows, down is positive. */
	readonly wheel?: (rows: number) => void;
};

/** How far one notch of the wheel scrolls. */
const rowsOfNotch = 3;

/**
 * Hears the mouse over the box that the returned ref is given to, whether that has the keyboard or not. Where the box
 * lies is looked up when something happens there: nothing is measured and nothing rendered for it.
 */
export function useMouseArea({id, level, within, press, wheel}: MouseArea): RefObject<DOMElement | null> {
	const {router} = useInputContext('useMouseArea');
	const box = useRef<DOMElement>(null);
	const hands = useRef({press, wheel});
	useLayoutEffect(() => {
		hands.current = {press, wheel};
	});
	useLayoutEffect(() => {
		const mouse = (event: MouseEvent): boolean => {
			if (box.current === null) return false;
			const {x, y, width, height} = measureElement(box.current);
			const row = event.row - y;
			const column = event.column - x;
			if (row < 0 || column < 0 || row >= height || column >= width) return false;
			const {press: pressed, wheel: turned} = hands.current;
			if (event.action === 'wheel-up' || event.action === 'wheel-down') {
				turned?.(event.action === 'wheel-down' ? rowsOfNotch : -rowsOfNotch);
				return true;
			}
			return event.action === 'press' && event.button === 'left' && pressed?.(row, column) !== pass;
		};
		const layer: Layer = {id: `${id}-mouse`, level, bindings: [], mouse};
		return router.add(within === undefined ? layer : {...layer, within}).remove;
	}, [router, id, level, within]);
	return box;
}

/** The owned focus: to move it, and to say which panes there are. */
export function useFocus(): Focus {
	return useInputContext('useFocus').focus;
}

/** The focused pane. */
export function useFocusedPane(): string | undefined {
	const focus = useFocus();
	return useSyncExternalStore(focus.subscribe, focus.getSnapshot);
}

/** Says which panes there are, in the order that tab walks them. */
export function useFocusRing(panes: readonly string[]): void {
	const focus = useFocus();
	const key = panes.join('\n');
	useLayoutEffect(() => {
		focus.setRing(key === '' ? [] : key.split('\n'));
	}, [focus, key]);
}
