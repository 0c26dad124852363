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

type Input = {
	readonly router: Router;
	readonly focus: Focus;
	/** Hands one key's bytes to Ink, for components with a key parser of their own. */
	readonly feed?: (sequence: string) => void;
};

const InputContext = createContext<Input | undefined>(undefined);
const LayerContext = createContext<string | undefined>(undefined);

/** Gives the tree its router and its focus, and lets the router wait for what a key brought about. */
export function InputProvider({
	router,
	focus,
	feed,
	children,
}: Input & {readonly children: ReactNode}): ReactNode {
	const input = useMemo(
		() => (feed === undefined ? {router, focus} : {router, focus, feed}),
		[router, focus, feed],
	);
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

/** Keys that ink-text-input edits with; the others that type nothing are left to the layers below. */
const inkFieldKeys = new Set(['left', 'right', 'backspace', 'delete']);

/**
 * A layer whose typed keys go to Ink, one a commit: for simple form values in ink-text-input, which reads
 * Ink's own input. Return, esc and tab belong to `bindings`.
 */
export function useInkField(options: Omit<LayerOptions, 'text' | 'batchText'>): void {
	const {feed} = useInputContext('useInkField');
	useBindings({
		...options,
		batchText: false,
		text(event) {
			if (event.type === 'paste') {
				feed?.(event.text.replaceAll(/\p{Cc}+/gu, ' '));
				return true;
			}
			const isEdit = event.text !== '' || inkFieldKeys.has(event.key);
			if (isEdit) feed?.(event.text === '' ? event.sequence : event.text);
			return isEdit;
		},
	});
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
