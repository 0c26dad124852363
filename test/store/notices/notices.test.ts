import {expect, onTestFinished, test, vi} from 'vitest';
import {
	type Notice,
	NoticeList,
	withMessage,
	withNotice,
	withoutNotice,
} from '../../../source/store/state/notices.ts';

const notice = (id: number, text: string): Notice => ({id, kind: 'error', text});

test('what is said twice stands once, and goes when its time is over', () => {
	const shown = withNotice(withNotice([], notice(1, 'no')), notice(2, 'no'));
	expect(shown).toEqual([notice(2, 'no')]);
	expect(withoutNotice(shown, 1)).toBe(shown);
	expect(withoutNotice(shown, 2)).toEqual([]);
});

test('a message that is said again at once is kept once, with its newest moment', () => {
	const kept = withMessage([{...notice(1, 'offline'), at: 5}], {...notice(2, 'offline'), at: 9});
	expect(kept).toEqual([{...notice(2, 'offline'), at: 9}]);
	expect(withMessage(kept, {...notice(3, 'back'), at: 10})).toHaveLength(2);
});

test('no more than the newest messages are kept', () => {
	let kept: ReturnType<typeof withMessage> = [];
	for (let id = 1; id <= 700; id++) kept = withMessage(kept, {...notice(id, `${id}`), at: id});
	expect(kept).toHaveLength(500);
	expect(kept.at(-1)?.id).toBe(700);
});

test('a sentence shows for a while and is kept as a message, also by the board that comes after', () => {
	vi.useFakeTimers();
	onTestFinished(() => void vi.useRealTimers());
	let shown: readonly Notice[] = [];
	const show = (change: (notices: readonly Notice[]) => readonly Notice[]) => {
		shown = change(shown);
	};
	const board = new NoticeList({show});
	board.say('info', 'so101 is in the lake.');
	expect(shown.map(({text}) => text)).toEqual(['so101 is in the lake.']);
	vi.advanceTimersByTime(60_000);
	expect(shown).toEqual([]);
	const messages = board.messages.getState();
	expect(messages.map(({text}) => text)).toEqual(['so101 is in the lake.']);

	const next = new NoticeList({show, messages});
	next.say('error', 'gone');
	next.stop();
	expect(next.messages.getState().map(({id}) => id)).toEqual([1, 2]);
});
