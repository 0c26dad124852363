import type {ReplyEvent} from './input-event.ts';

/** What the terminal tells of itself. */
export type Answers = {
	/** It knows the kitty keyboard protocol. */
	readonly kitty: boolean;
	readonly background: 'light' | 'dark' | undefined;
};

/** What is asked of the terminal at the start, and waited for no longer than a bound. */
export type Questions = {
	/** Asks, once. */
	ask(): void;
	/** Takes a reply; one that comes too late means nothing any more. */
	hear(reply: ReplyEvent): void;
	/** Settles when no reply is to be expected any more; after so many milliseconds none is waited for. */
	settled(milliseconds: number): Promise<void>;
	/** Replies may still come: read by somebody else, they would be text. */
	readonly isOpen: boolean;
};

const backgroundColour = '\u001b]11;?\u001b\\';
const kittyFlags = '\u001b[?u';
/** Every terminal answers to this, after what it has to say to those before it. */
const deviceAttributes = '\u001b[c';

/**
 * @param options.send takes bytes to the terminal.
 * @param options.withinMs a terminal that has said nothing by then has nothing to say.
 * @param options.answered called once, when all is told or the time is over.
 */
export function createQuestions({
	send,
	withinMs,
	answered,
}: {
	send: (bytes: string) => void;
	withinMs: number;
	answered: (answers: Answers) => void;
}): Questions {
	let answers: Answers = {kitty: false, background: undefined};
	let timer: NodeJS.Timeout | undefined;
	const {promise, resolve} = Promise.withResolvers<void>();

	function close(): void {
		if (timer === undefined) return;
		clearTimeout(timer);
		timer = undefined;
		resolve();
		answered(answers);
	}

	return {
		ask() {
			timer = setTimeout(close, withinMs);
			send(backgroundColour + kittyFlags + deviceAttributes);
		},
		hear({kind, data}) {
			if (timer === undefined) return;
			if (kind === 'kitty-keyboard') answers = {...answers, kitty: true};
			if (kind === 'osc' && data.startsWith('11;')) {
				answers = {...answers, background: shadeOf(data.slice(3))};
			}
			if (kind === 'device-attributes' && data.startsWith('?')) close();
		},
		async settled(milliseconds) {
			if (timer === undefined) return;
			const late = setTimeout(resolve, milliseconds);
			await promise;
			clearTimeout(late);
			clearTimeout(timer);
			timer = undefined;
		},
		get isOpen() {
			return timer !== undefined;
		},
	};
}

/**
 * Whether a colour as X11 writes it (`rgb:ffff/ffff/ffff`, one to four digits a part) is light: by its luma
 * (ITU-R BT.601), as eyes see green brighter than blue.
 */
export function shadeOf(colour: string): Answers['background'] {
	const parts = /^rgba?:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})/i.exec(colour);
	if (parts === null) return undefined;
	const [red = 0, green = 0, blue = 0] = parts
		.slice(1)
		.map(digits => Number.parseInt(digits, 16) / (16 ** digits.length - 1));
	return 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 ? 'light' : 'dark';
}
