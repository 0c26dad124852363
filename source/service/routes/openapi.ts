import {type Route, route} from '../http/route.ts';

/**
 * `GET /openapi.json`: the service described in OpenAPI 3.1. The key is required here as everywhere: who has none
 * learns nothing of a service, not even what it is.
 *
 * @param routes those to describe
 */
export function openApiRoute(routes: readonly Route[]): Route {
	return route({method: 'GET', path: '/openapi.json'}, async () => {
		// Hardly ever asked for: loaded and made when it is.
		const {openApiDocument} = await import('../openapi/document.ts');
		return openApiDocument(routes);
	});
}
