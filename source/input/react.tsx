import {
	createContext,
	type ReactNode,
	useCallback,
	useContext,
	useEffect,
	useLayoutEffect,
	useMemo,
	useRef,
	useState,
	useSyncExternalStore,
} from 'react';
import type {Focus} from './focus.ts';
import type {Layer} from './layer.ts';
import type {LayerHandle} from './layer-stack.ts';
import type {Router, RouterSnapshot} from './router.ts';

type Input = {readonly router: Router; readonly focus: Focus};

const InputContext = createContext<Input | undefined>(undefined);
const LayerContext = createContext<string | undefined>(undefined);

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
		if (mark > 0) release();
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

/** What can be pressed now (footer), what the screen offers (help, palette), a chord begun. */
export function useRouterSnapshot(): RouterSnapshot {
	const {router} = useInputContext('useRouterSnapshot');
	return useSyncExternalStore(router.subscribe, router.getSnapshot, router.getSnapshot);
}

export type LayerOptions = Omit<Layer, 'within'> & {
	/** Whether it takes part at all: a pane's layer only while the pane has the focus. @default true */
	readonly active?: boolean;
};

/** Keeps a layer on the router's stack while the component is mounted and the layer active. */
export function useBindings({active = true, ...options}: LayerOptions): void {
	const {router} = useInputContext('useBindings');
	const within = useContext(LayerContext);
	const layer: Layer = within === undefined || within === options.id ? options : {...options, within};
	const handle = useRef<LayerHandle | undefined>(undefined);
	const latest = useRef(layer);

	useLayoutEffect(() => {
		latest.current = layer;
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

/** Everything inside lies above the layer of that id: the fields of a dialog. */
export function LayerScope({id, children}: {readonly id: string; readonly children: ReactNode}): ReactNode {
	return <LayerContext value={id}>{children}</LayerContext>;
}

/** The owned focus: to move it, and to say which panes there are. */
export function useFocus(): Focus {
	return useInputContext('useFocus').focus;
}

/** Whether this pane has the keyboard. */
export function useIsFocused(pane: string): boolean {
	const focus = useFocus();
	return useSyncExternalStore(focus.subscribe, () => focus.getSnapshot() === pane);
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
