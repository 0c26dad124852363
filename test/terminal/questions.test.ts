import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import type {ReplyEvent} from '../../source/terminal/input-event.ts';
import {createQuestions, type RoundEnding} from '../../source/terminal/questions.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const reply = (kind: ReplyEvent['kind'], data: string): ReplyEvent => ({type: 'reply', kind, data});
const last = reply('device-attributes', '?62;22c');

function asking() {
	const sent: string[] = [];
	const questions = createQuestions({send: bytes => sent.push(bytes), withinMs: 1000});
	function ask(text: string) {
		const heard: string[] = [];
		const endings: RoundEnding[] = [];
		questions.ask({
			text,
			hear: ({data}) => heard.push(data),
			over: ending => endings.push(ending),
		});
		return {heard, endings};
	}
	return {questions, sent, ask};
}

test('one round after the other: the second is asked once the first is answered', () => {
	const {questions, sent, ask} = asking();
	const first = ask('first');
	const second = ask('second');
	expect(sent).toEqual(['first\u001b[c']);
	vi.advanceTimersByTime(40);
	questions.hear(reply('osc', 'a'));
	vi.advanceTimersByTime(20);
	questions.hear(last);
	expect(first).toEqual({heard: ['a', '?62;22c'], endings: [{isAnswered: true, milliseconds: 40}]});
	expect(sent).toEqual(['first\u001b[c', 'second\u001b[c']);
	questions.hear(last);
	expect(second.endings).toMatchObject([{isAnswered: true}]);
	expect(questions.isOpen).toBe(false);
});

test('a terminal that never answers is asked once and waited for once', () => {
	const {questions, sent, ask} = asking();
	const first = ask('first');
	const second = ask('second');
	vi.advanceTimersByTime(1000);
	expect([first.endings, second.endings]).toMatchObject([[{isAnswered: false}], [{isAnswered: false}]]);
	expect(ask('third').endings).toMatchObject([{isAnswered: false}]);
	expect(sent).toHaveLength(1);
	expect(questions.isOpen).toBe(false);
});

test('one that answers late means nothing to what is over, and is asked again', () => {
	const {questions, sent, ask} = asking();
	const first = ask('first');
	vi.advanceTimersByTime(1000);
	questions.hear(last);
	expect(first.heard).toEqual([]);
	const second = ask('second');
	questions.hear(reply('apc', 'Gi=1;OK'));
	questions.hear(last);
	expect(sent).toHaveLength(2);
	expect(second.heard).toEqual(['Gi=1;OK', '?62;22c']);
});

test('who leaves waits for replies that may still come, so long and no longer', async () => {
	const {questions, ask} = asking();
	const first = ask('first');
	const second = ask('second');
	const settled = questions.settled(200);
	expect(second.endings).toMatchObject([{isAnswered: false}]);
	await vi.advanceTimersByTimeAsync(200);
	await settled;
	expect(first.endings).toMatchObject([{isAnswered: false}]);
	expect(questions.isOpen).toBe(false);
	await questions.settled(200);
});
