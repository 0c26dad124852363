import {type Endpoint, type EndpointName, endpoints} from '../../contract/endpoints.ts';
import {errorResponse, validationErrorResponse} from '../../contract/errors.ts';
import {localEndpoints} from '../../contract/local-endpoints.ts';
import {ownShapes} from '../../contract/own-shapes.ts';
import {eventHistory, serviceEvents} from '../../contract/service-events.ts';
import {version} from '../host/version.ts';
import type {Route} from '../http/route.ts';
import {type JsonSchema, jsonSchema} from './json-schema.ts';

type Described = Endpoint & {readonly name: string; readonly tag: string};

/** `hyperparameterDefaults` → `Hyperparameter defaults`. */
function words(name: string): string {
	const text = name.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`);
	return text.charAt(0).toUpperCase() + text.slice(1);
}

const content = (schema: JsonSchema, type = 'application/json') => ({content: {[type]: {schema}}});
const reference = (name: string) => ({$ref: `#/components/schemas/${name}`});
const error = (description: string) => ({description, ...content(reference('Error'))});

/** The fields of a path or query, each a parameter. */
function parameters(schema: Endpoint['query'], place: 'path' | 'query'): JsonSchema[] {
	if (!schema) return [];
	const {properties = {}, required = []} = jsonSchema(schema) as {
		properties?: Record<string, JsonSchema>;
		required?: string[];
	};
	return Object.entries(properties).map(([name, described]) => ({
		name,
		in: place,
		required: place === 'path' || required.includes(name),
		schema: described,
	}));
}

const lastEventId = {
	name: 'Last-Event-ID',
	in: 'header',
	required: false,
	description: `The last id that the caller saw: what came after it is sent first, as far as the last ${eventHistory} events reach; else a "gap" event.`,
	schema: {type: 'string'},
};

const eventNames = () =>
	Object.entries(serviceEvents).map(([name, schema]) => ({
		title: name,
		...jsonSchema(schema),
	}));

function success({response}: Described): JsonSchema {
	if (response === 'eventStream') {
		return {
			description: 'Server-sent events. The data of each is JSON, in a shape that its name says.',
			...content({type: 'string', 'x-event-data': eventNames()}, 'text/event-stream'),
		};
	}
	return {description: 'Success.', ...content(jsonSchema(response))};
}

function operation(endpoint: Described, status: number): JsonSchema {
	const {name, section, tag, query, body, path} = endpoint;
	const isEvents = endpoint.response === 'eventStream';
	const given = [
		...parameters(endpoint.parameters, 'path'),
		...parameters(query, 'query'),
		...(isEvents ? [lastEventId] : []),
	];
	const readsInput = endpoint.parameters !== undefined || query !== undefined || body !== undefined;
	return {
		operationId: name,
		summary: words(name),
		description:
			tag === 'interface'
				? `Section ${section} of the interface document.`
				: 'Of the embedded service alone.',
		tags: [tag],
		...(given.length > 0 && {parameters: given}),
		...(body && {requestBody: {required: !jsonAllowsNothing(body), ...content(jsonSchema(body))}}),
		responses: {
			[status]: success(endpoint),
			401: error('The x-api-key header is missing, or holds a key that is not known.'),
			403: error('The key, the account, the Host or the Origin is not let in.'),
			...(path.includes('{') && {404: error('There is none of this id.')}),
			...(readsInput && {
				422: {
					description: 'The request breaks a bound.',
					content: {'application/json': {schema: reference('ValidationError')}},
				},
			}),
			default: error('Anything else that went wrong.'),
		},
	};
}

/** True if the body is optional. */
const jsonAllowsNothing = (body: NonNullable<Endpoint['body']>) => body.safeParse(undefined).success;

/** Every endpoint of this service as its schemas describe it: the document's, with what it leaves open filled in. */
function described(): Described[] {
	const interfaceOnes = Object.entries(endpoints).map(([name, endpoint]) => ({
		...(endpoint as Endpoint),
		...ownShapes[name as EndpointName],
		name,
		tag: 'interface',
	}));
	const known = new Set(interfaceOnes.map(({method, path}) => `${method} ${path}`));
	const localOnes = Object.entries(localEndpoints)
		.map(([name, endpoint]) => ({...(endpoint as Endpoint), name, tag: 'local'}))
		.filter(({method, path}) => !known.has(`${method} ${path}`));
	return [...interfaceOnes, ...localOnes];
}

/** The service described in OpenAPI 3.1, read off the same schemas that it checks requests by. */
export function openApiDocument(routes: readonly Route[]): JsonSchema {
	const statuses = new Map(routes.map(({method, path, status}) => [`${method} ${path}`, status]));
	const paths: Record<string, JsonSchema> = {};
	for (const endpoint of described()) {
		const {method, path} = endpoint;
		const status = statuses.get(`${method} ${path}`) ?? 200;
		paths[path] = {...paths[path], [method.toLowerCase()]: operation(endpoint, status)};
	}
	return {
		openapi: '3.1.0',
		info: {
			title: 'lakescope, embedded service',
			version,
			description:
				'The robot-learning dataset and training interface as the embedded service of one machine answers it. Paths under /v1 are those of the interface document, with what that leaves open filled in; paths under /local/v1 are lakescope’s own.',
		},
		servers: [{url: '/'}],
		security: [{key: []}],
		tags: [
			{name: 'interface', description: 'The interface document'},
			{name: 'local', description: 'What only an embedded service can do'},
		],
		paths,
		components: {
			securitySchemes: {key: {type: 'apiKey', in: 'header', name: 'x-api-key'}},
			schemas: {Error: jsonSchema(errorResponse), ValidationError: jsonSchema(validationErrorResponse)},
		},
	};
}
