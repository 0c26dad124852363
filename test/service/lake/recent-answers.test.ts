import {expect, test} from 'vitest';
import {RecentAnswers} from '../../../source/service/lake/recent-answers.ts';

function counting() {
	let asked = 0;
	return {ask: () => Promise.resolve(++asked), asked: () => asked};
}

test('a question is asked once, side by side and again, until something is written', async () => {
	const answers = new RecentAnswers<number>();
	const {ask} = counting();
	expect(await Promise.all([answers.to({limit: 1}, ask), answers.to({limit: 1}, ask)])).toEqual([1, 1]);
	expect(await answers.to({limit: 1}, ask)).toBe(1);
	expect(await answers.to({limit: 2}, ask)).toBe(2);
	answers.forget();
	expect(await answers.to({limit: 1}, ask)).toBe(3);
});

test('what was asked before something was written is nobody’s answer after it', async () => {
	const answers = new RecentAnswers<string>();
	const early = Promise.withResolvers<string>();
	const first = answers.to({}, () => early.promise);
	answers.forget();
	expect(await answers.to({}, async () => 'late')).toBe('late');
	early.resolve('early');
	expect(await first).toBe('early');
	expect(await answers.to({}, async () => 'later')).toBe('late');
});

test('a failure is told to who waits for it and asked again by the next', async () => {
	const answers = new RecentAnswers<number>();
	const failing = () => Promise.reject(new Error('the engine is busy'));
	await expect(answers.to({}, failing)).rejects.toThrow('busy');
	expect(await answers.to({}, counting().ask)).toBe(1);
});

test('a failure that ends after something was written takes no newer answer with it', async () => {
	const answers = new RecentAnswers<number>();
	const early = Promise.withResolvers<number>();
	const first = answers.to({}, () => early.promise);
	answers.forget();
	const {ask, asked} = counting();
	await answers.to({}, ask);
	early.reject(new Error('too late'));
	await expect(first).rejects.toThrow('too late');
	await answers.to({}, ask);
	expect(asked()).toBe(1);
});

test('the questions asked longest ago are forgotten', async () => {
	const answers = new RecentAnswers<number>();
	const {ask} = counting();
	for (let offset = 0; offset < 9; offset++) await answers.to({offset}, ask);
	expect(await answers.to({offset: 8}, ask)).toBe(9);
	expect(await answers.to({offset: 0}, ask)).toBe(10);
});
