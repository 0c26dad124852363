import {EventEmitter} from 'node:events';
import type {IncomingMessage} from 'node:http';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {boundBodyTime, longestMs} from '../../../source/service/http/server.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Asked = {method: string; url?: string; length?: number};

/** A request whose body is still on its way. */
function arriving({method, url = '/v1/datasets/explore', length}: Asked) {
	const headers = length === undefined ? {} : {'content-length': String(length)};
	const request = Object.assign(new EventEmitter(), {method, url, headers, complete: false});
	const late = vi.fn();
	boundBodyTime(request as unknown as IncomingMessage, late);
	return {request, late};
}

const target = `/local/v1/blobs/${'ab'.repeat(32)}?signature=x`;

test('a body has 30 s to arrive', () => {
	const {late} = arriving({method: 'POST', length: 100});
	vi.advanceTimersByTime(29_999);
	expect(late).not.toHaveBeenCalled();
	vi.advanceTimersByTime(1);
	expect(late).toHaveBeenCalledOnce();
});

test('a blob has the time of its bytes on a slow line as well, and no request has more than the largest of them', () => {
	const mebibyte = 1024 * 1024;
	const {late} = arriving({method: 'PUT', url: target, length: mebibyte});
	vi.advanceTimersByTime(30_000 + 32_767);
	expect(late).not.toHaveBeenCalled();
	vi.advanceTimersByTime(1);
	expect(late).toHaveBeenCalledOnce();
	for (const length of [32 * mebibyte, 1e15, undefined]) {
		const largest = arriving({method: 'PUT', url: target, ...(length !== undefined && {length})});
		vi.advanceTimersByTime(longestMs - 1);
		expect(largest.late).not.toHaveBeenCalled();
		vi.advanceTimersByTime(1);
		expect(largest.late).toHaveBeenCalledOnce();
	}
});

test('a PUT that is to no target has no more than any other', () => {
	const {late} = arriving({method: 'PUT', url: '/local/v1/blobs', length: 32 * 1024 * 1024});
	vi.advanceTimersByTime(30_000);
	expect(late).toHaveBeenCalledOnce();
});

test.each(['end', 'close'])('a request that has come to its %s is late no more', event => {
	const {request, late} = arriving({method: 'POST', length: 5});
	request.emit(event);
	vi.advanceTimersByTime(1e7);
	expect(late).not.toHaveBeenCalled();
	expect(vi.getTimerCount()).toBe(0);
});

test('an answer that takes long is no late body', () => {
	expect(arriving({method: 'GET'}).late).not.toHaveBeenCalled();
	const {request, late} = arriving({method: 'POST', length: 5});
	request.complete = true;
	vi.advanceTimersByTime(1e7);
	expect(late).not.toHaveBeenCalled();
});
