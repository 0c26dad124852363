import {onTestFinished} from 'vitest';
import {type HostedService, type HostedServiceOptions, startHostedService} from '../hosted-service/server.ts';

/** A hosted service that ends with the test. */
export async function hosted(options: HostedServiceOptions = {}): Promise<HostedService> {
	const service = await startHostedService(options);
	onTestFinished(() => service.close());
	return service;
}
