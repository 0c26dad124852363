/** A sentence for the user that stays for a while. */
export type Notice = {
	readonly id: number;
	readonly kind: 'info' | 'warning' | 'error';
	readonly text: string;
};

/** How many are kept; the oldest go first. */
const kept = 4;

/** How long each kind stays. */
export const noticeMs: Readonly<Record<Notice['kind'], number>> = {info: 4000, warning: 8000, error: 15_000};

/** Adds a notice; one that says the same as one still there takes its place. */
export function withNotice(notices: readonly Notice[], notice: Notice): readonly Notice[] {
	return [...notices.filter(({text}) => text !== notice.text), notice].slice(-kept);
}

export function withoutNotice(notices: readonly Notice[], id: number): readonly Notice[] {
	return notices.some(notice => notice.id === id) ? notices.filter(notice => notice.id !== id) : notices;
}
