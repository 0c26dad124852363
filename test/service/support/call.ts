import {request} from 'node:http';

/** Where and with which key a service is called. */
export type Address = {readonly url: string; readonly key: string};

export type Answer = {
	readonly status: number;
	readonly headers: NodeJS.Dict<string | string[]>;
	readonly text: string;
	/** The body as JSON. */
	json<T = unknown>(): T;
};

export type Call = {
	readonly method?: string;
	/** Sent as JSON, or as it is when it is text. */
	readonly body?: unknown;
	/** Over those that every call has; undefined leaves one out. */
	readonly headers?: Record<string, string | undefined>;
};

/** One HTTP request with nothing added that is not said here: Host and Origin included. */
export function call(
	service: Address,
	path: string,
	{method, body, headers = {}}: Call = {},
): Promise<Answer> {
	const {hostname, port, host} = new URL(service.url);
	const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
	const all: Record<string, string | undefined> = {
		host,
		'x-api-key': service.key,
		...(text !== undefined && {
			'content-type': 'application/json',
			'content-length': `${Buffer.byteLength(text as string)}`,
		}),
		...headers,
	};
	const sent = Object.fromEntries(Object.entries(all).filter(entry => entry[1] !== undefined)) as Record<
		string,
		string
	>;
	return new Promise((resolve, reject) => {
		const outgoing = request(
			{
				hostname,
				port,
				path,
				method: method ?? (text === undefined ? 'GET' : 'POST'),
				headers: sent,
				setHost: false,
				agent: false,
			},
			response => {
				let received = '';
				response.setEncoding('utf8').on('data', (chunk: string) => {
					received += chunk;
				});
				response.on('end', () =>
					resolve({
						status: response.statusCode ?? 0,
						headers: response.headers,
						text: received,
						json: <T>() => JSON.parse(received) as T,
					}),
				);
				response.on('error', reject);
			},
		);
		outgoing.on('error', reject);
		outgoing.end(text as string | undefined);
	});
}
