import type {AddressInfo, Server} from 'node:net';

const had = new Set<number>();

/**
 * Listens on a port of 127.0.0.1 that no server of this process had before. The system soon gives a port out again,
 * and what a home remembers of a lake (its last place, its uploads) is found by the address.
 *
 * @returns the port.
 */
export async function listenOnOwnPort(server: Server): Promise<number> {
	for (;;) {
		await new Promise<void>((resolve, reject) => {
			server.once('error', reject);
			server.listen(0, '127.0.0.1', () => {
				server.off('error', reject);
				resolve();
			});
		});
		const {port} = server.address() as AddressInfo;
		if (!had.has(port)) {
			had.add(port);
			return port;
		}
		await new Promise<unknown>(resolve => server.close(resolve));
	}
}
