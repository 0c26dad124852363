import type {StoreApi} from 'zustand/vanilla';
import type {ExplorerSession} from '../store/explorer-session.ts';
import type {Session} from '../terminal/session.ts';

/** Notifies a user who looks at another window, as configured. */
export type Attention = {
	/** The bell rings when an upload or a job ends. */
	readonly bell: boolean;
	/** The terminal's title tells what is under way. */
	readonly title: boolean;
};

const bel = '\u0007';

/** Rings and titles the terminal by what ends and what is under way in whatever lake is shown. */
export function attend(
	{send, setTitle}: Pick<Session, 'send' | 'setTitle'>,
	explorerSession: StoreApi<ExplorerSession>,
	{bell, title}: Attention,
): void {
	let stop: () => void = () => undefined;
	const follow = ({explorer, lakeName}: ExplorerSession) => {
		stop();
		const {state} = explorer.activityMonitor;
		const entitle = () => {
			const {underWay} = state.getState();
			if (title) setTitle(`lakescope ${lakeName}${underWay === 0 ? '' : `: ${underWay} under way`}`);
		};
		stop = state.subscribe(({ended, underWay}, before) => {
			if (bell && ended > before.ended) send(bel);
			if (underWay !== before.underWay) entitle();
		});
		entitle();
	};
	if (!bell && !title) return;
	explorerSession.subscribe((now, before) => {
		if (now.explorer !== before.explorer) follow(now);
	});
	follow(explorerSession.getState());
}
