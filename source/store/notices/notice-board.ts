import {createStore, type StoreApi} from 'zustand/vanilla';
import {
	type Message,
	type Notice,
	noticeMs,
	type Tell,
	withMessage,
	withNotice,
	withoutNotice,
} from './notice.ts';

type NoticeBoardOptions = {
	/** Has the sentences that show changed. */
	readonly show: (change: (shown: readonly Notice[]) => readonly Notice[]) => void;
	/** What was said before there was this board. */
	readonly messages?: readonly Message[] | undefined;
};

/** Says sentences to the user: each shows for as long as it takes to read, and is kept as a message. */
export class NoticeBoard {
	/** Oldest first. */
	readonly messages: StoreApi<readonly Message[]>;
	readonly #show: NoticeBoardOptions['show'];
	readonly #timers = new Set<NodeJS.Timeout>();
	#last: number;

	constructor({show, messages = []}: NoticeBoardOptions) {
		this.#show = show;
		this.#last = messages.at(-1)?.id ?? 0;
		this.messages = createStore(() => messages);
	}

	say(...[kind, text, way]: Parameters<Tell>): void {
		const notice: Notice = {id: ++this.#last, kind, text, ...(way && {way})};
		this.messages.setState(kept => withMessage(kept, {...notice, at: Date.now()}), true);
		this.#show(shown => withNotice(shown, notice));
		const timer = setTimeout(() => {
			this.#timers.delete(timer);
			this.#show(shown => withoutNotice(shown, notice.id));
		}, noticeMs[kind]);
		this.#timers.add(timer);
	}

	stop(): void {
		for (const timer of this.#timers) clearTimeout(timer);
		this.#timers.clear();
	}
}
