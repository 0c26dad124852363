/**
 * The few modules of undici that the transport needs. Its main entry also loads fetch, WebSocket, mocks and caches
 * (twice the time at start); these are the same classes, whose types the main entry declares.
 */
declare module 'undici/lib/dispatcher/agent.js' {
	export {Agent as default} from 'undici';
}

declare module 'undici/lib/api/api-request.js' {
	import type {Dispatcher} from 'undici';

	/** A dispatcher's `request` method, taking any dispatcher as `this`. */
	export default function request(
		this: Pick<Dispatcher, 'dispatch'>,
		options: Dispatcher.RequestOptions,
	): Promise<Dispatcher.ResponseData>;
}
