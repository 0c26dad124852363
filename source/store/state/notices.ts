import {createStore, type StoreApi} from 'zustand/vanilla';

/** A sentence for the user that shows for a while. */
export type Notice = {
	readonly id: number;
	readonly kind: 'info' | 'warning' | 'error';
	readonly text: string;
	/** The way out, shown behind the sentence with its key. */
	readonly way?: NoticeWay;
};

/** An action, and what it does: `app.mouse`, `takes it again`. */
export type NoticeWay = {
	readonly action: string /** Without it the key alone stands behind the sentence. */;
	readonly does?: string;
};

/** Says a sentence to the user. */
export type Notify = (kind: Notice['kind'], text: string, way?: NoticeWay) => void;

/** A sentence that was said, with its moment in milliseconds since 1970: what went by can be read again. */
export type Message = Notice & {readonly at: number};

/** How many show at once, and how many are kept; the oldest go first. */
const shownAtOnce = 4;
const keptMessages = 500;

/** How long each kind shows. */
const noticeMs: Readonly<Record<Notice['kind'], number>> = {info: 4000, warning: 8000, error: 15_000};

/** Adds a notice; one that says the same as one still there takes its place. */
export function withNotice(notices: readonly Notice[], notice: Notice): readonly Notice[] {
	return [...notices.filter(({text}) => text !== notice.text), notice].slice(-shownAtOnce);
}

export function withoutNotice(notices: readonly Notice[], id: number): readonly Notice[] {
	return notices.some(notice => notice.id === id) ? notices.filter(notice => notice.id !== id) : notices;
}

/** Keeps a message; the same sentence right after itself only renews its moment. */
export function withMessage(messages: readonly Message[], message: Message): readonly Message[] {
	const last = messages.at(-1);
	const isSame = last !== undefined && last.text === message.text && last.kind === message.kind;
	return [...(isSame ? messages.slice(0, -1) : messages), message].slice(-keptMessages);
}

type NoticeListOptions = {
	/** Has the sentences that show changed. */
	readonly show: (change: (shown: readonly Notice[]) => readonly Notice[]) => void;
	/** Messages from before this list. */
	readonly messages?: readonly Message[] | undefined;
};

/** Says sentences to the user: each shows for as long as it takes to read, and is kept as a message. */
export class NoticeList {
	/** Oldest first. */
	readonly messages: StoreApi<readonly Message[]>;
	readonly #show: NoticeListOptions['show'];
	readonly #timers = new Set<NodeJS.Timeout>();
	#last: number;

	constructor({show, messages = []}: NoticeListOptions) {
		this.#show = show;
		this.#last = messages.at(-1)?.id ?? 0;
		this.messages = createStore(() => messages);
	}

	say(...[kind, text, way]: Parameters<Notify>): void {
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
