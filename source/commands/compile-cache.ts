import * as nodeModule from 'node:module';
import {places} from '../files/places.ts';

/** Keeps compiled code from one start to the next, in this user's own cache folder. */
export function openCompileCache(): void {
	nodeModule.enableCompileCache(`${places().cache}/compiled`);
}
