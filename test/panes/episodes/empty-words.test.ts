import {expect, test} from 'vitest';
import {ServiceError} from '../../../source/client/errors.ts';
import {emptyWords} from '../../../source/panes/episodes/empty-result.tsx';
import {freshnessOf} from '../../../source/store/queries/freshness.ts';

const keys: Readonly<Record<string, string>> = {'explore.refresh': 'r', 'app.quit': 'q'};

function wayOn(retryAfterSeconds?: number): string | undefined {
	const freshness = freshnessOf({
		readAt: undefined,
		isFromLastSession: false,
		isReading: false,
		error: new ServiceError('slow down', {status: 429, retryAfterSeconds}),
		failedAt: 1000,
	});
	const look = {
		filter: '',
		isPreparing: false,
		explained: undefined,
		keyOf: (action: string) => keys[action],
	};
	return emptyWords(freshness, look).at(-1)?.text;
}

test('a retry by key is offered only where the service did not ask for a pause', () => {
	expect(wayOn()).toBe('It retries automatically. r retries now, q quits.');
	expect(wayOn(60)).toBe('It retries automatically. q quits.');
});
