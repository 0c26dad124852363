import {RequestError, ServiceError} from '../client/errors.ts';

/** What is wrong with a part of a request. */
export type RefusedPart = {readonly loc: readonly (string | number)[]; readonly msg: string};

export const nothingRefused: readonly RefusedPart[] = [];

/** The parts of a request that a failed call was refused for: by the service, or by the contract before it was sent. */
export function refusedParts(error: unknown): readonly RefusedPart[] {
	if (error instanceof ServiceError) return error.issues ?? nothingRefused;
	if (!(error instanceof RequestError)) return nothingRefused;
	const path = error.field.split(/[.[\]]+/u).filter(step => step !== '');
	return [{loc: path.map(step => (/^\d+$/u.test(step) ? Number(step) : step)), msg: error.bound}];
}
