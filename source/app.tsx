import {Box, type DOMElement, render, useWindowSize} from 'ink';
import {type ReactNode, useMemo, useSyncExternalStore} from 'react';
import {useStore} from 'zustand';
import type {StoreApi} from 'zustand/vanilla';
import {Line} from './components/line.tsx';
import {createScreen, ScreenProvider, useScreen} from './components/screen.tsx';
import {signsFor} from './components/signs.ts';
import {ClipboardProvider} from './hooks/clipboard.tsx';
import {ExplorerProvider, useExplorer, useExplorerState} from './hooks/explorer.tsx';
import {PicturesProvider} from './hooks/pictures.tsx';
import type {Binding} from './input/binding.ts';
import {createFocus, type Focus} from './input/focus.ts';
import {InputProvider, useBindings, useFocus} from './input/react.tsx';
import {keyProblemSentence, readKeys, type WrittenKeys} from './input/rebinding.ts';
import {createRouter, type Router, watchConflicts} from './input/router.ts';
import type {ExplorerSession} from './store/explorer-session.ts';
import {paneOfLocation} from './store/state/location.ts';
import type {Background} from './terminal/background.ts';
import type {Capabilities} from './terminal/capabilities.ts';
import {rootOf} from './terminal/cells/ink-tree.ts';
import type {Copy} from './terminal/clipboard.ts';
import type {Mouse, Session} from './terminal/session.ts';
import {anywhereBindings} from './views/anywhere-bindings.ts';
import {ExploreView} from './views/explore-view.tsx';
import {historyBindings} from './views/history-bindings.ts';
import {ListView} from './views/list-view.tsx';
import {Overlays} from './views/overlays.tsx';
import {terminalBindings} from './views/terminal-bindings.ts';
import {viewBindings} from './views/view-bindings.ts';

/** `doctor` tells what of the user's keys can't be used. */
export {readKeys} from './input/rebinding.ts';

export type AppHands = {
	readonly copy: Copy;
	/** The user's own keys, by action, as they are written. */
	readonly keys: WrittenKeys;
};

/** Draws the explorer on a terminal until its session ends. */
export function drawApp(
	session: Session,
	explorerSession: StoreApi<ExplorerSession>,
	{copy, keys}: AppHands,
): void {
	const router = createRouter();
	const focus = createFocus(paneOfLocation(explorerSession.getState().explorer.places.here()));
	rebind(router, keys, message => explorerSession.getState().explorer.notify('warning', message));
	const quit = () => session.end({how: 'quit'});
	const {capabilities} = session;
	const {background, mouse, pictures} = session;
	const parts = {explorerSession, router, focus, capabilities, background, copy, quit, mouse, pictures};
	// The box draws nothing: it is how Ink hands out its tree.
	const follow = (box: DOMElement | null) => {
		if (box !== null) session.follow?.(rootOf(box));
	};
	const root = (app: ReactNode) => (
		<Box ref={follow} flexDirection="column">
			{app}
		</Box>
	);
	const app = <App {...parts} />;
	// Ink hands it out after a first frame, which it draws as text: of an empty one, as the explorer's took a tenth of the
	// start and was not seen.
	const ink = render(root(session.follow === undefined ? app : null), session.inkOptions);
	session.attach(ink);
	if (session.follow !== undefined) ink.rerender(root(app));
	session.listen(router.dispatch);
}

function rebind(router: Router, keys: WrittenKeys, notify: (message: string) => void): void {
	const {overrides, problems} = readKeys(keys);
	router.setOverrides(overrides);
	for (const problem of problems) notify(problem);
	watchConflicts(router, overrides, message => notify(keyProblemSentence(message)));
}

export type AppProps = {
	readonly explorerSession: StoreApi<ExplorerSession>;
	readonly router: Router;
	readonly focus: Focus;
	readonly capabilities: Capabilities;
	readonly background: Background;
	readonly copy: Copy;
	readonly quit: () => void;
	readonly mouse: Mouse | undefined;
	readonly pictures: Session['pictures'];
};

/** The root: what the whole tree needs, and the view. */
export function App(props: AppProps): ReactNode {
	const {explorerSession, router, focus, capabilities, background, copy, quit, mouse, pictures} = props;
	const {explorer, lakeName, offer} = useStore(explorerSession);
	const shade = useSyncExternalStore(background.subscribe, background.get);
	const screen = useMemo(() => {
		const {colors, isScreen, isSpoken, links, unicode, isRemote} = capabilities;
		const drawing = {
			colour: colors !== 'none',
			light: shade === 'light',
			attributes: isScreen,
			ascii: !unicode,
			spoken: isSpoken,
			links,
			colours: colors,
			remote: isRemote,
		};
		return createScreen(drawing, signsFor(capabilities));
	}, [capabilities, shade]);
	return (
		<ScreenProvider screen={screen}>
			<ExplorerProvider explorer={explorer}>
				<ClipboardProvider copy={copy}>
					<PicturesProvider open={pictures}>
						<InputProvider router={router} focus={focus}>
							<Sized lakeName={lakeName} offer={offer} quit={quit} mouse={mouse} />
						</InputProvider>
					</PicturesProvider>
				</ClipboardProvider>
			</ExplorerProvider>
		</ScreenProvider>
	);
}

const least = {columns: 20, rows: 5};

/** Read aloud, panes beside one another are a jumble: a size at which every view shows one at a time, and no row scrolls off. */
const onePane = ({columns, rows}: {columns: number; rows: number}) => ({
	width: Math.min(columns, 80),
	height: Math.min(rows - 1, 19),
});

type SizedProps = Omit<ExplorerSession, 'explorer'> & Pick<AppProps, 'quit' | 'mouse'>;

function Sized({lakeName, offer, quit, mouse}: SizedProps): ReactNode {
	const {columns, rows} = useWindowSize();
	const {drawing} = useScreen();
	const explorer = useExplorer();
	const focus = useFocus();
	const view = useExplorerState(state => state.view);
	const bindings = useMemo<readonly Binding[]>(
		() => [
			...terminalBindings({explorer, quit, mouse}),
			...viewBindings(explorer, focus),
			...anywhereBindings(explorer),
			...historyBindings(explorer, focus),
		],
		[quit, mouse, explorer, focus],
	);
	useBindings({id: 'app', level: 'global', bindings});
	if (columns < least.columns || rows < least.rows) {
		const times = drawing.ascii ? 'x' : '×';
		return <Line segments={[`needs ${least.columns}${times}${least.rows}`]} width={columns} />;
	}
	const look = drawing.spoken ? onePane({columns, rows}) : {width: columns, height: rows};
	return (
		<Box width={columns} height={rows} overflow="hidden">
			{view === 'explore' ? (
				<ExploreView {...look} lakeName={lakeName} />
			) : (
				<ListView key={view} list={view} {...look} lakeName={lakeName} />
			)}
			<Overlays {...look} offer={offer} />
		</Box>
	);
}
